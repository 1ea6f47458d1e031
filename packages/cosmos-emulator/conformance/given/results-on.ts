import type { Fields } from "../client/reply.ts";
import { expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

/** The results of a query in a new partition that holds one item with these fields. */
export async function resultsOn(
  target: Target,
  item: Fields,
  query: string,
  parameters?: readonly Fields[],
): Promise<readonly unknown[]> {
  const items = await target.items;
  const pk = unique("pk");
  expectStatus(await items.create([pk], { id: "a", pk, ...item }), 201);
  const options = { key: [pk], ...(parameters !== undefined && { parameters }) };
  return expectStatus(await items.query(query, options), 200).list;
}
