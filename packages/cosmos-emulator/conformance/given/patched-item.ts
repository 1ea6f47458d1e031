/** An item for the checks about patches. */
import type { Items } from "../client/items.ts";
import type { Fields, Reply } from "../client/reply.ts";
import { expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

export interface Patched {
  readonly items: Items;
  readonly pk: string;
  /** Patches the item and gives the answer. */
  patch(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** The user's fields of the stored item. */
  stored(): Promise<Fields>;
}

export async function itemWith(target: Target, fields: Fields): Promise<Patched> {
  const items = await target.items;
  const pk = unique("pk");
  expectStatus(await items.create([pk], { id: "a", pk, ...fields }), 201);
  return {
    items,
    pk,
    patch: (body, headers) => items.patch([pk], "a", body, headers),
    stored: async () => {
      const all = expectStatus(await items.read([pk], "a"), 200).fields;
      return Object.fromEntries(
        Object.entries(all).filter(([name]) => !name.startsWith("_") && name !== "id" && name !== "pk"),
      );
    },
  };
}

/** A patch that every item takes. */
export const SET_1 = [{ op: "set", path: "/n", value: 1 }];
