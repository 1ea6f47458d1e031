/** Items: create, read, replace, upsert, delete, and what the service adds to them. */
import { inGroup } from "../check.ts";
import { fieldsOf, textOf } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { unique } from "../target.ts";

const SYSTEM_FIELDS = ["_rid", "_self", "_etag", "_attachments", "_ts"];

export const ITEMS = inGroup("items", [
  {
    name: "create gives the item back with the system fields after its own",
    evidence: ["1.5 create item", "1.5 system fields"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const sent = { zeta: 1, id: "a", pk, alpha: { nested: [1, null, "x"] } };
      const stored = expectStatus(await items.create([pk], sent), 201).fields;
      expectEqual(Object.keys(stored), [...Object.keys(sent), ...SYSTEM_FIELDS], "the fields in order");
      expectEqual(stored["alpha"], sent.alpha, "a field");
      expectEqual(stored["_attachments"], "attachments/", "_attachments");
      expect(Number.isInteger(stored["_ts"]), "_ts is no integer");
      expectEqual(expectStatus(await items.read([pk], "a"), 200).fields, stored, "the item when read");
    },
  },
  {
    name: "an etag is quoted, in the header as in the body",
    evidence: ["0.5 etags", "6 etag"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const created = expectStatus(await items.create([pk], { id: "a", pk }), 201);
      const read = expectStatus(await items.read([pk], "a"), 200);
      for (const reply of [created, read]) {
        expectMatch(textOf(reply.fields["_etag"]), /^"[^"]+"$/, "the etag in the body");
        expectEqual(reply.header("etag"), reply.fields["_etag"], "the etag in the header");
      }
    },
  },
  {
    name: "every write makes a new etag",
    evidence: ["0.5 etags"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const body = { id: "a", pk };
      const replies = [
        await items.create([pk], body),
        await items.replace([pk], body),
        await items.upsert([pk], body),
      ];
      replies.push(await items.patch([pk], "a", [{ op: "set", path: "/n", value: 1 }]));
      replies.push(await items.create([pk], { ...body, id: "b" }));
      const etags = replies.map((reply) => textOf(reply.fields["_etag"]));
      expectEqual(new Set(etags).size, etags.length, "different etags");
    },
  },
  {
    name: "the last group of an etag begins with the time of the write in hexadecimal",
    evidence: ["1.16 etag"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const { _etag: etag, _ts: ts } = expectStatus(await items.create([pk], { id: "a", pk }), 201).fields;
      expectMatch(
        textOf(etag),
        /^"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"$/,
        "the form",
      );
      expectEqual(Number.parseInt(textOf(etag).slice(25, 33), 16), ts, "the time in the etag");
    },
  },
  {
    name: "create of an item that exists is a conflict and changes nothing",
    evidence: ["2.1 409", "1.5 create item"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      expectStatus(await items.create([pk], { id: "a", pk, n: 1 }), 201);
      const again = expectStatus(await items.create([pk], { id: "a", pk, n: 2 }), 409);
      expectEqual(again.fields["code"], "Conflict", "the code");
      expectEqual((await items.read([pk], "a")).fields["n"], 1, "the stored value");
    },
  },
  {
    name: "the same id in two partitions is two items",
    evidence: ["1.4 key header"],
    async run(target) {
      const items = await target.items;
      const [a, b] = [unique("pk"), unique("pk")];
      expectStatus(await items.create([a], { id: "same", pk: a }), 201);
      expectStatus(await items.create([b], { id: "same", pk: b }), 201);
      expectStatus(await items.remove([a], "same"), 204);
      expectStatus(await items.read([a], "same"), 404);
      expectStatus(await items.read([b], "same"), 200);
    },
  },
  {
    name: "upsert answers 201 for a new item and 200 for one that exists",
    evidence: ["1.5 upsert", "6 statuses"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      expectStatus(await items.upsert([pk], { id: "a", pk, n: 1, old: true }), 201);
      const replaced = expectStatus(await items.upsert([pk], { id: "a", pk, n: 2 }), 200).fields;
      expectEqual([replaced["n"], replaced["old"]], [2, undefined], "the new content");
    },
  },
  {
    name: "replace answers 200, keeps the rid, and needs the item",
    evidence: ["1.5 item operations", "6 statuses", "2.1 404"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const created = expectStatus(await items.create([pk], { id: "a", pk, n: 1 }), 201).fields;
      const replaced = expectStatus(await items.replace([pk], { id: "a", pk, n: 2 }), 200).fields;
      expectEqual([replaced["_rid"], replaced["n"]], [created["_rid"], 2], "the rid and the content");
      expectStatus(await items.replace([pk], { id: "absent", pk }), 404);
    },
  },
  {
    name: "delete answers 204 without body, and 404 the second time",
    evidence: ["1.5 item operations", "2.1 404"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk });
      expectEqual(expectStatus(await items.remove([pk], "a"), 204).text, "", "the body");
      expectEqual(expectStatus(await items.remove([pk], "a"), 404).fields["code"], "NotFound", "the code");
      expectStatus(await items.create([pk], { id: "a", pk }), 201);
    },
  },
  {
    name: "an item that is not there is 404",
    evidence: ["2.1 404"],
    async run(target) {
      const items = await target.items;
      const reply = expectStatus(await items.read([unique("pk")], "absent"), 404, 0);
      expectEqual(reply.fields["code"], "NotFound", "the code");
      textOf(reply.fields["message"]);
    },
  },
  {
    name: "all items of a partition key are read as a feed, in pages",
    evidence: ["1.5 read all", "1.5 feeds"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      for (const id of ["a", "b", "c"]) await items.create([pk], { id, pk });
      const headers = { "x-ms-documentdb-partitionkey": JSON.stringify([pk]) };
      const read = (more = {}) =>
        target.raw.send({ method: "GET", link: `${items.link}/docs`, headers: { ...headers, ...more } });
      const all = expectStatus(await read(), 200);
      expectEqual(all.objects.map((it) => it["id"]).sort(), ["a", "b", "c"], "the items");
      expectEqual(all.fields["_count"], 3, "_count");
      const first = expectStatus(await read({ "x-ms-max-item-count": "2" }), 200);
      const continuation = first.header("x-ms-continuation") ?? "";
      const second = expectStatus(
        await read({ "x-ms-max-item-count": "2", "x-ms-continuation": continuation }),
        200,
      );
      const ids = [...first.objects, ...second.objects].map((it) => it["id"]).sort();
      expectEqual(ids, ["a", "b", "c"], "the items of two pages");
    },
  },
  {
    name: "all items of a partition key are deleted with one request",
    evidence: ["1.5 delete a partition key", "6 sproc, offers"],
    async run(target) {
      const items = await target.items;
      const [gone, kept] = [unique("pk"), unique("pk")];
      for (const pk of [gone, kept]) await items.create([pk], { id: "a", pk });
      const headers = { "x-ms-documentdb-partitionkey": JSON.stringify([gone]) };
      const link = `${items.link}/operations/partitionkeydelete`;
      expectStatus(await target.raw.send({ method: "POST", link, headers }), 200);
      expectStatus(await items.read([gone], "a"), 404);
      expectStatus(await items.read([kept], "a"), 200);
    },
  },
  {
    name: "return=minimal leaves the body out of a write's answer",
    evidence: ["1.5 minimal answers", "5.2 patch"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const minimal = { prefer: "return=minimal" };
      const created = expectStatus(await items.create([pk], { id: "a", pk }, minimal), 201);
      const patched = expectStatus(
        await items.patch([pk], "a", [{ op: "set", path: "/n", value: 1 }], minimal),
        200,
      );
      const replaced = expectStatus(await items.replace([pk], { id: "a", pk }, minimal), 200);
      for (const reply of [created, patched, replaced]) {
        expectEqual(reply.text, "", `the body of ${reply.request}`);
        expectMatch(reply.header("etag"), /^".+"$/, "the etag");
      }
    },
  },
  {
    name: "_ts is the time of the write in whole seconds",
    evidence: ["4 clock"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const created = expectStatus(await items.create([pk], { id: "a", pk }), 201);
      const serverSeconds = Math.floor(Date.parse(created.header("date") ?? "") / 1000);
      const ts = Number(created.fields["_ts"]);
      expect(
        Math.abs(ts - serverSeconds) <= 2,
        `_ts is ${ts} when the date of the answer is ${serverSeconds}`,
      );
    },
  },
  {
    name: "the SDK gives a 404 of a read back and throws that of a deletion",
    evidence: ["1.5 absent item", "2.2 one request"],
    async run(target) {
      const container = await target.sdkContainer();
      const item = container.item("absent", unique("pk"));
      const read = await item.read();
      expectEqual([read.statusCode, read.resource], [404, undefined], "the read");
      const error: unknown = await item.delete().catch((thrown: unknown) => thrown);
      expectEqual(fieldsOf(error)["code"], 404, "the code of the error");
    },
  },
]);
