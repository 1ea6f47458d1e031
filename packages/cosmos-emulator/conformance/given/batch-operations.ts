/** Operations and items for the checks about batches. */
import type { Items } from "../client/items.ts";
import type { Fields, Reply } from "../client/reply.ts";
import { expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

/** The creation of an item. */
export const create = (pk: string, id: string, more: Fields = {}): Fields => ({
  operationType: "Create",
  resourceBody: { id, pk, ...more },
});

/** The status of each operation. */
export const statusesOf = (reply: Reply): unknown[] => reply.objects.map((entry) => entry["statusCode"]);

/** A new partition key with these items. */
export async function withItems(
  target: Target,
  ...ids: readonly string[]
): Promise<{ items: Items; pk: string }> {
  const items = await target.items;
  const pk = unique("pk");
  for (const id of ids) expectStatus(await items.create([pk], { id, pk, n: 1 }), 201);
  return { items, pk };
}
