import { inGroup } from "../check.ts";
import { fieldsOf, textOf } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { unique } from "../target.ts";

export const RANGES = inGroup("partition key ranges", [
  {
    name: "a range has the members of the service's, its id a text",
    evidence: ["1.9 ranges", "6 query"],
    async run(target) {
      const items = await target.items;
      const reply = expectStatus(
        await target.raw.send({ method: "GET", link: `${items.link}/pkranges` }),
        200,
      );
      const ranges = (reply.fields["PartitionKeyRanges"] as unknown[]).map(fieldsOf);
      expectEqual(reply.fields["_count"], ranges.length, "_count");
      const members = [
        "_rid",
        "id",
        "_etag",
        "minInclusive",
        "maxExclusive",
        "ridPrefix",
        "_self",
        "throughputFraction",
        "status",
        "parents",
        "ownedArchivalPKRangeIds",
        "_ts",
        "lsn",
      ];
      for (const range of ranges) {
        expectEqual(
          members.filter((member) => !(member in range)),
          [],
          "missing members",
        );
        expectMatch(textOf(range["id"]), /^\d+$/, "the id");
        expectEqual(
          [range["status"], Buffer.from(textOf(range["_rid"]), "base64").length],
          ["online", 16],
          "status, bytes of the rid",
        );
        expectEqual(
          (Buffer.from(textOf(range["_rid"]), "base64")[15] ?? 0) >> 4,
          5,
          "the high nibble of the rid's last byte",
        );
      }
      const shares = ranges.reduce((sum, range) => sum + Number(range["throughputFraction"]), 0);
      expect(Math.abs(shares - 1) < 0.01, `the shares of throughput sum up to ${shares}`);
    },
  },
  {
    name: "the ranges tile everything from nothing to FF",
    evidence: ["1.9 tiling", "1.9 ranges"],
    async run(target) {
      const ranges = [...(await (await target.items).ranges())];
      ranges.sort((a, b) => (textOf(a["minInclusive"]) < textOf(b["minInclusive"]) ? -1 : 1));
      const bounds = ranges.flatMap((range) => [
        textOf(range["minInclusive"]),
        textOf(range["maxExclusive"]),
      ]);
      expectEqual([bounds[0], bounds.at(-1)], ["", "FF"], "the outer bounds");
      for (let n = 1; n < ranges.length; n++)
        expectEqual(bounds[2 * n], bounds[2 * n - 1], "the bound between two ranges");
    },
  },
  {
    name: "read as a feed they answer 304 when nothing is new",
    evidence: ["1.9 range feed"],
    async run(target) {
      const { link } = await target.items;
      const read = (more = {}) =>
        target.raw.send({
          method: "GET",
          link: `${link}/pkranges`,
          headers: { "a-im": "Incremental Feed", ...more },
        });
      const etag = expectStatus(await read(), 200).header("etag") ?? "";
      expectStatus(await read({ "if-none-match": etag }), 304);
    },
  },
  {
    name: "a range that is not there, as after a split, is 410/1002",
    evidence: ["2.1 410"],
    async run(target) {
      const items = await target.items;
      const headers = { "x-ms-documentdb-partitionkeyrangeid": "987654" };
      expectStatus(await items.query("SELECT c.id FROM c", { headers }), 410, 1002);
    },
  },
  {
    name: "an item's answer names the range that holds it",
    evidence: ["1.9 ranges", "1.12 headers of the service"],
    async run(target) {
      const items = await target.items;
      const ids = new Set(await items.rangeIds());
      for (let n = 0; n < 5; n++) {
        const pk = unique("pk");
        const created = expectStatus(await items.create([pk], { id: "a", pk }), 201);
        const rangeId = created.header("x-ms-documentdb-partitionkeyrangeid") ?? "";
        expect(ids.has(rangeId), `the range is ${rangeId}`);
        const query = "SELECT VALUE COUNT(1) FROM c WHERE c.pk = @pk";
        const options = {
          parameters: [{ name: "@pk", value: pk }],
          headers: { "x-ms-documentdb-partitionkeyrangeid": rangeId },
        };
        expectEqual(
          expectStatus(await items.query(query, options), 200).list,
          [1],
          "the items found in that range",
        );
      }
    },
  },
]);
