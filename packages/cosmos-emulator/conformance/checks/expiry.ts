/** Time to live. These checks wait for real seconds, because no client can move the clock of an endpoint. */
import { setTimeout as sleep } from "node:timers/promises";
import { inGroup } from "../check.ts";
import type { Items } from "../client/items.ts";
import { expectEqual, expectStatus } from "../expect.ts";
import { FIXTURES } from "../given/fixtures.ts";
import { unique } from "../target.ts";

/**
 * Time in ms that is longer than a ttl of one second, whatever the fraction of the second in which the item was
 * written.
 */
const AFTER_A_SECOND_MS = 2300;

const idsOf = async (items: Items, pk: string): Promise<readonly unknown[]> =>
  expectStatus(await items.query("SELECT VALUE c.id FROM c", { key: [pk] }), 200).list;

export const EXPIRY = inGroup("time to live", [
  {
    name: "an expired item is gone from reads, queries, feeds and counts, and its id is free",
    evidence: ["1.14 expiry", "1.14 defaults"],
    async run(target) {
      const items = await target.fixture("expiring");
      const pk = unique("pk");
      // Not read while it lives: on a slow line its second may be over before the read arrives.
      expectStatus(await items.create([pk], { id: "short", pk, ttl: 1 }), 201);
      await items.create([pk], { id: "long", pk, ttl: 1000 });
      await items.create([pk], { id: "endless", pk });
      await sleep(AFTER_A_SECOND_MS);
      expectStatus(await items.read([pk], "long"), 200);
      expectStatus(await items.read([pk], "short"), 404);
      expectEqual([...(await idsOf(items, pk))].sort(), ["endless", "long"], "the items of a query");
      expectEqual((await items.query("SELECT VALUE COUNT(1) FROM c", { key: [pk] })).list, [2], "the count");
      expectStatus(await items.replace([pk], { id: "short", pk }), 404);
      expectStatus(await items.create([pk], { id: "short", pk }), 201);
    },
  },
  {
    name: "a write begins the time anew",
    evidence: ["1.14 expiry"],
    async run(target) {
      const items = await target.fixture("expiring");
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk, ttl: 5 });
      await sleep(3000);
      expectStatus(await items.patch([pk], "a", [{ op: "set", path: "/n", value: 1 }]), 200);
      await sleep(3000);
      expectStatus(await items.read([pk], "a"), 200);
    },
  },
  {
    name: "the container's time holds for items without one, -1 for ever",
    evidence: ["1.14 defaults"],
    async run(target) {
      const items = await target.temporary({ ...FIXTURES.plain, defaultTtl: 1 });
      await items.create(["p"], { id: "default", pk: "p" });
      await items.create(["p"], { id: "longer", pk: "p", ttl: 1000 });
      await items.create(["p"], { id: "endless", pk: "p", ttl: -1 });
      await sleep(AFTER_A_SECOND_MS);
      expectEqual([...(await idsOf(items, "p"))].sort(), ["endless", "longer"], "what is left");
    },
  },
  {
    name: "where the container has no time, that of an item means nothing",
    evidence: ["1.14 defaults"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk, ttl: 1 });
      await sleep(AFTER_A_SECOND_MS);
      expectStatus(await items.read([pk], "a"), 200);
    },
  },
  {
    name: "a time can be patched",
    evidence: ["1.14 expiry", "1.5 patch order"],
    async run(target) {
      const items = await target.fixture("expiring");
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk });
      expectStatus(await items.patch([pk], "a", [{ op: "set", path: "/ttl", value: 1 }]), 200);
      await sleep(AFTER_A_SECOND_MS);
      expectStatus(await items.read([pk], "a"), 404);
    },
  },
  {
    name: "times other than -1 and positive whole numbers are refused",
    evidence: ["1.14 defaults", "3.1 ttl"],
    async run(target) {
      const items = await target.fixture("expiring");
      const pk = unique("pk");
      for (const ttl of [0, -2, 1.5, null, "1", 2_147_483_648])
        expectStatus(await items.create([pk], { id: "a", pk, ttl }), 400);
      expectStatus(await items.create([pk], { id: "a", pk, ttl: 2_147_483_647 }), 201);
      for (const defaultTtl of [0, -2]) {
        const body = { id: unique("temporary"), ...FIXTURES.plain, defaultTtl };
        expectStatus(
          await target.raw.send({ method: "POST", link: `${target.databaseLink}/colls`, body }),
          400,
        );
      }
    },
  },
]);
