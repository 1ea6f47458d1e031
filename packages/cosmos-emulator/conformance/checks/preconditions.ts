/** If-Match and If-None-Match: what makes compare-and-swap possible. */
import { inGroup } from "../check.ts";
import type { Items, Key } from "../client/items.ts";
import { textOf } from "../client/reply.ts";
import { expectEqual, expectStatus, expectSuccess } from "../expect.ts";
import { type Target, unique } from "../target.ts";

interface TwiceWritten {
  readonly items: Items;
  readonly key: Key;
  readonly pk: string;
  readonly stale: string;
  readonly current: string;
}

/** An item with a stale etag and a current one. */
async function writeTwice(target: Target): Promise<TwiceWritten> {
  const items = await target.items;
  const pk = unique("pk");
  const first = expectStatus(await items.create([pk], { id: "a", pk, n: 1 }), 201);
  const second = expectSuccess(await items.replace([pk], { id: "a", pk, n: 2 }));
  return {
    items,
    key: [pk],
    pk,
    stale: textOf(first.fields["_etag"]),
    current: textOf(second.fields["_etag"]),
  };
}

const SET_N = [{ op: "set", path: "/n", value: 3 }];

export const PRECONDITIONS = inGroup("preconditions", [
  {
    name: "a stale If-Match refuses replace, upsert, patch and delete with 412",
    evidence: ["1.5 conditions", "2.1 412", "6 statuses"],
    async run(target) {
      const { items, key, pk, stale } = await writeTwice(target);
      const headers = { "if-match": stale };
      const replies = [
        await items.replace(key, { id: "a", pk, n: 3 }, headers),
        await items.upsert(key, { id: "a", pk, n: 3 }, headers),
        await items.patch(key, "a", SET_N, headers),
        await items.remove(key, "a", headers),
      ];
      for (const reply of replies) {
        expectEqual(
          expectStatus(reply, 412).fields["code"],
          "PreconditionFailed",
          `the code of ${reply.request}`,
        );
      }
      expectEqual((await items.read(key, "a")).fields["n"], 2, "the stored value");
    },
  },
  {
    name: "the current etag lets replace, upsert, patch and delete through",
    evidence: ["1.5 conditions"],
    async run(target) {
      const { items, key, pk, current } = await writeTwice(target);
      const replaced = expectStatus(
        await items.replace(key, { id: "a", pk, n: 3 }, { "if-match": current }),
        200,
      );
      const upserted = await items.upsert(
        key,
        { id: "a", pk },
        { "if-match": textOf(replaced.fields["_etag"]) },
      );
      const patched = await items.patch(key, "a", SET_N, {
        "if-match": textOf(expectStatus(upserted, 200).fields["_etag"]),
      });
      const { _etag: last } = expectStatus(patched, 200).fields;
      expectStatus(await items.remove(key, "a", { "if-match": textOf(last) }), 204);
    },
  },
  {
    name: "reading with the etag that the item has answers 304 without body",
    evidence: ["1.5 conditions", "2.1 304", "6 etag"],
    async run(target) {
      const { items, key, current } = await writeTwice(target);
      const reply = expectStatus(await items.read(key, "a", { "if-none-match": current }), 304);
      expectEqual(reply.text, "", "the body");
      expectEqual(reply.header("etag"), current, "the etag");
    },
  },
  {
    name: "reading with another etag answers the item",
    evidence: ["1.5 conditions", "6 etag"],
    async run(target) {
      const { items, key, stale } = await writeTwice(target);
      const reply = expectStatus(await items.read(key, "a", { "if-none-match": stale }), 200);
      expectEqual(reply.fields["n"], 2, "the value");
    },
  },
  {
    name: "of 16 writers with the same etag exactly one wins",
    evidence: ["4 compare and swap"],
    async run(target) {
      const { items, key, pk, current } = await writeTwice(target);
      const attempts = Array.from({ length: 16 }, (_, writer) =>
        items.replace(key, { id: "a", pk, writer }, { "if-match": current }),
      );
      const replies = await Promise.all(attempts);
      const winners = replies.filter((reply) => reply.status === 200);
      expectEqual(
        [winners.length, replies.filter((reply) => reply.status === 412).length],
        [1, 15],
        "200s and 412s",
      );
      const stored = (await items.read(key, "a")).fields;
      expectEqual(stored["writer"], winners[0]?.fields["writer"], "the stored writer");
    },
  },
  {
    name: "of 16 creations of one id exactly one wins",
    evidence: ["4 compare and swap", "2.1 409"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const attempts = Array.from({ length: 16 }, (_, writer) =>
        items.create([pk], { id: "lock", pk, writer }),
      );
      const statuses = (await Promise.all(attempts)).map((reply) => reply.status).sort();
      expectEqual(statuses, [201, ...Array.from({ length: 15 }, () => 409)], "the statuses");
    },
  },
  {
    name: "the SDK's accessCondition arrives: 412 and 304",
    evidence: ["1.5 conditions", "6 etag"],
    async run(target) {
      const { pk, stale, current } = await writeTwice(target);
      const container = await target.sdkContainer();
      const replace = container
        .item("a", pk)
        .replace({ id: "a", pk }, { accessCondition: { type: "IfMatch", condition: stale } });
      const error: unknown = await replace.catch((thrown: unknown) => thrown);
      expectEqual((error as { code?: unknown }).code, 412, "the code of the error");
      const options = { accessCondition: { type: "IfNoneMatch", condition: current } };
      expectEqual((await container.item("a", pk).read(options)).statusCode, 304, "the status of the read");
    },
  },
]);
