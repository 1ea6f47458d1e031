/** Stored procedures for the checks about them. */
import { type Items, type Key, keyHeader } from "../client/items.ts";
import { type Reply, textOf } from "../client/reply.ts";
import { expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

export interface Procedure {
  readonly items: Items;
  /** Link of the procedure. */
  readonly link: string;
  /** A partition key value without items. */
  readonly pk: string;
  /** Runs it for `pk`, or for `key`. */
  execute(args?: unknown, headers?: Readonly<Record<string, string>>, key?: Key): Promise<Reply>;
}

/** Stores a script. Its partition key is new and has no items. */
export async function procedure(target: Target, body: string): Promise<Procedure> {
  const items = await target.items;
  const id = unique("procedure");
  const feed = `${items.link}/sprocs`;
  const link = `${feed}/${id}`;
  expectStatus(await target.raw.send({ method: "POST", link: feed, body: { id, body } }), 201);
  const pk = unique("pk");
  return {
    items,
    link,
    pk,
    execute: (args = [], headers = {}, key = [pk]) =>
      target.raw.send({
        method: "POST",
        link,
        headers: { "x-ms-documentdb-partitionkey": keyHeader(key), ...headers },
        body: args,
      }),
  };
}

/** A script that hands `expression` over as its result. */
export const answering = (expression: string): string =>
  `function (a, b) { getContext().getResponse().setBody(${expression}); }`;

/** Statements of a script: `c` is the collection, and `patch` sets `n` of an item. */
export const PATCH = `
  const c = getContext().getCollection();
  const patch = function (id, n, options, callback) {
    return c.patchDocument(c.getAltLink() + "/docs/" + id, [{ op: "set", path: "/n", value: n }], options, callback);
  };`;

/** Creates an item with `n` 1 in the partition of the procedure. */
export async function withItem({ items, pk }: Procedure, id: string): Promise<void> {
  expectStatus(await items.create([pk], { id, pk, n: 1 }), 201);
}

/** Reads `n` of each item in the partition of the procedure. */
export const numbersOf = async ({ items, pk }: Procedure): Promise<readonly unknown[]> =>
  [...expectStatus(await items.query("SELECT VALUE c.n FROM c", { key: [pk] }), 200).list].sort();

export const messageOf = (reply: Reply): string => textOf(reply.fields["message"]);
