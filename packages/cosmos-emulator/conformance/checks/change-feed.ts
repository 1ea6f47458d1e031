/** The change feed, of a partition key and of a range. */
import { ChangeFeedStartFrom, type Container } from "@azure/cosmos";
import { inGroup } from "../check.ts";
import type { Items } from "../client/items.ts";
import { textOf } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { unique } from "../target.ts";

/** The ids that a feed of one partition key tells from a position on, page by page, and the position at its end. */
async function follow(
  items: Items,
  pk: string,
  position?: string,
  size = "100",
): Promise<{ ids: string[]; position: string }> {
  const ids: string[] = [];
  let at = position;
  for (;;) {
    const page = await items.changes({ key: [pk] }, at, { "x-ms-max-item-count": size });
    const next = page.header("etag");
    expect(next !== undefined, `no etag on ${page.status}`);
    if (page.status === 304) return { ids, position: next };
    ids.push(...expectStatus(page, 200).objects.map((it) => textOf(it["id"])));
    expect(next !== at, "the position does not move");
    at = next;
  }
}

async function idsOfIterator(
  container: Container,
  options: Parameters<Container["items"]["getChangeFeedIterator"]>[0],
) {
  const iterator = container.items.getChangeFeedIterator(options);
  const ids: string[] = [];
  let quiet = 0;
  // Each range answers in turn, and 304 once it has nothing more.
  while (iterator.hasMoreResults && quiet < 10) {
    const page = await iterator.readNext();
    if (page.statusCode === 304) break;
    quiet = page.result.length === 0 ? quiet + 1 : 0;
    ids.push(...page.result.map((it) => String(it.id)));
  }
  return ids;
}

export const CHANGE_FEED = inGroup("change feed", [
  {
    name: "from the beginning it has every item once, in pages, and then 304 with an etag",
    evidence: [
      "0.8 change feed position",
      "1.10 start",
      "1.10 request",
      "5.3 feed",
      "6 change feed",
      "2.1 304",
    ],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      for (const id of ["a", "b", "c", "d", "e"]) await items.create([pk], { id, pk });
      for (const size of ["1", "2", "100"]) {
        expectEqual(
          (await follow(items, pk, undefined, size)).ids,
          ["a", "b", "c", "d", "e"],
          `pages of ${size}`,
        );
      }
    },
  },
  {
    name: "a position is resumed: only what was written since",
    evidence: ["0.8 change feed position", "5.3 feed", "6 change feed"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk });
      const { position } = await follow(items, pk);
      await items.create([pk], { id: "b", pk });
      await items.replace([pk], { id: "a", pk, n: 2 });
      expectEqual((await follow(items, pk, position)).ids, ["b", "a"], "the changes");
    },
  },
  {
    name: "* begins now",
    evidence: ["1.10 start"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], { id: "before", pk });
      const now = expectStatus(await items.changes({ key: [pk] }, "*"), 304);
      await items.create([pk], { id: "after", pk });
      expectEqual((await follow(items, pk, now.header("etag"))).ids, ["after"], "the changes");
    },
  },
  {
    name: "If-Modified-Since begins at a time",
    evidence: ["1.10 start"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk });
      const since = (offMs: number) => ({ "if-modified-since": new Date(Date.now() + offMs).toUTCString() });
      const found = expectStatus(await items.changes({ key: [pk] }, undefined, since(-600_000)), 200);
      expectEqual(
        found.objects.map((it) => it["id"]),
        ["a"],
        "since ten minutes ago",
      );
    },
  },
  {
    name: "it has the latest version of an item, and none of what is deleted",
    evidence: ["1.10 latest version"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      for (const id of ["a", "b", "c"]) await items.create([pk], { id, pk, n: 1 });
      await items.replace([pk], { id: "a", pk, n: 2 });
      await items.remove([pk], "b");
      const changes = expectStatus(await items.changes({ key: [pk] }, undefined), 200).objects;
      expectEqual(
        changes.map((it) => [it["id"], it["n"]]),
        [
          ["c", 1],
          ["a", 2],
        ],
        "the changes",
      );
    },
  },
  {
    name: "each range has its feed; together they have everything",
    evidence: ["1.10 request", "1.10 answer"],
    async run(target) {
      const items = await target.temporary();
      for (let n = 0; n < 12; n++) await items.create([`p${n}`], { id: `i${n}`, pk: `p${n}` });
      const ids: string[] = [];
      for (const rangeId of await items.rangeIds()) {
        const page = await items.changes({ rangeId }, undefined);
        if (page.status === 304) continue;
        const changes = expectStatus(page, 200).objects;
        expect(
          changes.every((it) => Number.isInteger(it["_lsn"])),
          "an item without _lsn",
        );
        expectMatch(page.header("etag"), /^"\d+"$/, "the etag");
        ids.push(...changes.map((it) => textOf(it["id"])));
      }
      expectEqual(ids.length, 12, "the items");
    },
  },
  {
    name: "part of a range can be read by its bounds",
    evidence: ["1.10 sub-range"],
    async run(target) {
      const items = await target.temporary();
      for (let n = 0; n < 12; n++) await items.create([`p${n}`], { id: `i${n}`, pk: `p${n}` });
      const ids: string[] = [];
      for (const range of await items.ranges()) {
        const [low, high] = [textOf(range["minInclusive"]), textOf(range["maxExclusive"])];
        const middle = between(low, high);
        for (const [start, end] of [
          [low, middle],
          [middle, high],
        ] as const) {
          const headers = {
            "x-ms-read-key-type": "EffectivePartitionKeyRange",
            "x-ms-start-epk": start,
            "x-ms-end-epk": end,
          };
          const page = await items.changes({ rangeId: textOf(range["id"]) }, undefined, headers);
          if (page.status !== 304) ids.push(...expectStatus(page, 200).objects.map((it) => textOf(it["id"])));
        }
      }
      expectEqual([ids.length, new Set(ids).size], [12, 12], "the items");
    },
  },
  {
    name: "the header that asks for it is read in any case",
    evidence: ["1.10 request"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk });
      expectStatus(await items.changes({ key: [pk] }, "*", { "a-im": "Incremental feed" }), 304);
    },
  },
  {
    name: "the SDK's iterator reads everything and then gets 304",
    evidence: ["0.8 change feed position", "5.3 feed", "6 change feed"],
    async run(target) {
      const items = await target.temporary();
      const container = await target.sdkContainer(items);
      const ids = Array.from({ length: 12 }, (_, n) => `i${n}`);
      for (const id of ids) await items.create([id], { id, pk: id });
      const found = await idsOfIterator(container, {
        changeFeedStartFrom: ChangeFeedStartFrom.Beginning(),
        maxItemCount: 5,
      });
      expectEqual(found.sort(), ids.sort(), "the items");
      const now = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now() });
      expectEqual((await now.readNext()).statusCode, 304, "the status when it begins now");
    },
  },
  {
    name: "the SDK goes on from a continuation token of one partition key",
    evidence: ["0.8 change feed position", "5.3 feed"],
    async run(target) {
      const items = await target.items;
      const container = await target.sdkContainer();
      const pk = unique("pk");
      for (const id of ["a", "b"]) await items.create([pk], { id, pk });
      const first = container.items.getChangeFeedIterator({
        changeFeedStartFrom: ChangeFeedStartFrom.Beginning(pk),
      });
      const { continuationToken } = await first.readNext();
      await items.create([pk], { id: "c", pk });
      const found = await idsOfIterator(container, {
        changeFeedStartFrom: ChangeFeedStartFrom.Continuation(continuationToken),
      });
      expectEqual(found, ["c"], "the change since");
    },
  },
]);

/** A bound that halves a range, roughly. */
function between(low: string, high: string): string {
  const value = (bound: string): number => Number.parseInt(bound.padEnd(8, "0").slice(0, 8), 16);
  return Math.floor((value(low) + value(high)) / 2)
    .toString(16)
    .toUpperCase()
    .padStart(8, "0");
}
