/** The ids that the service gives to resources. */
import { inGroup } from "../check.ts";
import { type Fields, textOf } from "../client/reply.ts";
import { expect, expectEqual, expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

const readContainer = async (target: Target, link: string, headers = {}) =>
  expectStatus(await target.raw.send({ method: "GET", link, headers }), 200);

export const RESOURCE_IDS = inGroup("databases and containers", [
  {
    name: "resource ids nest: 4 bytes of a database, 8 of a container, 16 of an item",
    evidence: ["1.16 rids", "1.16 self"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const bytesOf = (fields: Fields): Buffer =>
        Buffer.from(textOf(fields["_rid"]).replaceAll("-", "/"), "base64");
      const database = (await readContainer(target, target.databaseLink)).fields;
      const container = (await readContainer(target, items.link)).fields;
      const item = expectStatus(await items.create([pk], { id: "a", pk }), 201).fields;
      const [d, c, i] = [bytesOf(database), bytesOf(container), bytesOf(item)];
      expectEqual([d.length, c.length, i.length], [4, 8, 16], "the lengths");
      expect(
        c.subarray(0, 4).equals(d) && i.subarray(0, 8).equals(c),
        "a rid does not begin with its parent's",
      );
      expect(((c[4] ?? 0) & 0x80) !== 0, "the top bit of a container's fifth byte is not set");
      expectEqual(database["_self"], `dbs/${textOf(database["_rid"])}/`, "_self of the database");
      const containerSelf = `dbs/${textOf(database["_rid"])}/colls/${textOf(container["_rid"])}/`;
      expectEqual(container["_self"], containerSelf, "_self of the container");
      expectEqual(item["_self"], `${containerSelf}docs/${textOf(item["_rid"])}/`, "_self of the item");
    },
  },
  {
    name: "the counter in an item's rid grows, lowest byte first",
    evidence: ["1.16 rids"],
    async run(target) {
      const items = await target.temporary();
      const counters: bigint[] = [];
      for (const id of ["a", "b", "c"]) {
        const created = expectStatus(await items.create(["p"], { id, pk: "p" }), 201).fields;
        counters.push(Buffer.from(textOf(created["_rid"]), "base64").readBigUInt64LE(8));
      }
      const grows = counters.every((counter, n) => n === 0 || counter > (counters[n - 1] ?? 0n));
      expect(grows && (counters.at(-1) ?? 0n) < 1_000_000n, `the counters are ${counters.join(", ")}`);
    },
  },
]);
