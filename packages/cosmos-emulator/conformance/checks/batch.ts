/** Transactional batches: operations, statuses, answers. */

import { inGroup } from "../check.ts";
import { ATOMIC_BATCH } from "../client/items.ts";
import { type Fields, fieldsOf, textOf } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { create, statusesOf, withItems } from "../given/batch-operations.ts";

export const BATCH = inGroup("batch", [
  {
    name: "success is 200 with status, charge, etag and body of each operation in order",
    evidence: ["0.7 atomic batch", "1.6 success", "1.6 request", "0.5 etags", "6 batch"],
    async run(target) {
      const { items, pk } = await withItems(target);
      const reply = expectStatus(await items.batch([pk], [create(pk, "a"), create(pk, "b")]), 200);
      expectEqual(statusesOf(reply), [201, 201], "the statuses");
      for (const [index, id] of ["a", "b"].entries()) {
        const entry = reply.objects[index] ?? {};
        expectEqual(
          Object.keys(entry).sort(),
          ["eTag", "requestCharge", "resourceBody", "statusCode"],
          "the members",
        );
        const stored = (await items.read([pk], id)).fields;
        expectEqual(
          [entry["eTag"], entry["resourceBody"]],
          [stored["_etag"], stored],
          "the entry and the item",
        );
        expect(Number(entry["requestCharge"]) > 0, "an entry without charge");
      }
      expectEqual(reply.header("x-ms-item-count"), "2", "x-ms-item-count");
    },
  },
  {
    name: "every kind of operation has its status; a deletion has no more than that",
    evidence: ["1.6 statuses", "1.6 own writes", "6 batch", "5.2 batch"],
    async run(target) {
      const { items, pk } = await withItems(target, "b1", "b2");
      const reply = await items.batch(
        [pk],
        [
          { operationType: "Read", id: "b1" },
          { operationType: "Upsert", resourceBody: { id: "b1", pk, n: 99 } },
          { operationType: "Replace", id: "b2", resourceBody: { id: "b2", pk, n: 98 } },
          {
            operationType: "Patch",
            id: "b2",
            resourceBody: { operations: [{ op: "set", path: "/n", value: 1 }] },
          },
          { operationType: "Delete", id: "b2" },
          { operationType: "Upsert", resourceBody: { id: "b3", pk } },
        ],
      );
      expectStatus(reply, 200);
      expectEqual(statusesOf(reply), [200, 200, 200, 200, 204, 201], "the statuses");
      expectEqual(
        Object.keys(reply.objects[4] ?? {}).sort(),
        ["requestCharge", "statusCode"],
        "the deletion's members",
      );
      expectEqual(fieldsOf(reply.objects[0]?.["resourceBody"])["n"], 1, "the value that was read");
      expectEqual((await items.read([pk], "b1")).fields["n"], 99, "the value that was upserted");
      expectStatus(await items.read([pk], "b2"), 404);
    },
  },
  {
    name: "a later operation sees what an earlier one did",
    evidence: ["1.6 own writes", "4 batch visibility"],
    async run(target) {
      const { items, pk } = await withItems(target);
      const reply = await items.batch(
        [pk],
        [
          create(pk, "a", { n: 1 }),
          { operationType: "Patch", id: "a", resourceBody: [{ op: "incr", path: "/n", value: 1 }] },
          { operationType: "Read", id: "a" },
          { operationType: "Delete", id: "a" },
          create(pk, "a", { n: 5 }),
        ],
      );
      expectEqual(statusesOf(expectStatus(reply, 200)), [201, 200, 200, 204, 201], "the statuses");
      expectEqual(fieldsOf(reply.objects[2]?.["resourceBody"])["n"], 2, "what the read saw");
      expectEqual((await items.read([pk], "a")).fields["n"], 5, "the stored value");
    },
  },
  {
    name: "failure is 207 with the culprit's status, 424 for all others, and nothing stored",
    evidence: ["0.7 atomic batch", "1.6 failure", "2.1 423, 424", "6 batch"],
    async run(target) {
      const { items, pk } = await withItems(target, "taken");
      const reply = await items.batch([pk], [create(pk, "a"), create(pk, "taken"), create(pk, "b")]);
      expectEqual(statusesOf(expectStatus(reply, 207)), [424, 409, 424], "the statuses");
      for (const entry of reply.objects) {
        expectEqual(Object.keys(entry).sort(), ["requestCharge", "statusCode"], "the members of an entry");
      }
      expectStatus(await items.read([pk], "a"), 404);
      expectStatus(await items.read([pk], "b"), 404);
    },
  },
  {
    name: "failure undoes replacements, patches and deletions",
    evidence: ["1.6 failure", "6 batch", "5.2 batch"],
    async run(target) {
      const { items, pk } = await withItems(target, "a", "b", "c");
      const before = (await items.query("SELECT * FROM c", { key: [pk] })).objects;
      const reply = await items.batch(
        [pk],
        [
          { operationType: "Replace", id: "a", resourceBody: { id: "a", pk, n: 2 } },
          {
            operationType: "Patch",
            id: "b",
            resourceBody: { operations: [{ op: "set", path: "/n", value: 2 }] },
          },
          { operationType: "Delete", id: "c" },
          { operationType: "Delete", id: "absent" },
        ],
      );
      expectEqual(statusesOf(expectStatus(reply, 207)), [424, 424, 424, 404], "the statuses");
      expectEqual((await items.query("SELECT * FROM c", { key: [pk] })).objects, before, "the items");
    },
  },
  {
    name: "etags are heeded in a batch: 412 where one is stale",
    evidence: ["1.6 failure", "1.6 request", "5.2 batch", "6 batch"],
    async run(target) {
      const { items, pk } = await withItems(target, "a");
      const current = textOf((await items.read([pk], "a")).fields["_etag"]);
      for (const operation of [
        { operationType: "Replace", id: "a", resourceBody: { id: "a", pk, n: 2 } },
        { operationType: "Upsert", resourceBody: { id: "a", pk, n: 2 } },
        {
          operationType: "Patch",
          id: "a",
          resourceBody: { operations: [{ op: "set", path: "/n", value: 2 }] },
        },
        { operationType: "Delete", id: "a" },
      ]) {
        const reply = await items.batch([pk], [create(pk, "b"), { ...operation, ifMatch: '"other"' }]);
        expectEqual(
          statusesOf(expectStatus(reply, 207)),
          [424, 412],
          `the statuses of ${operation.operationType}`,
        );
      }
      const body = { id: "a", pk, n: 3 };
      const right = await items.batch(
        [pk],
        [{ operationType: "Replace", id: "a", resourceBody: body, ifMatch: current }],
      );
      expectEqual(statusesOf(expectStatus(right, 200)), [200], "the status with the right etag");
    },
  },
  {
    name: "a patch in a batch has its condition, and a list or an object as its body",
    evidence: ["1.6 request", "5.2 batch", "4 condition"],
    async run(target) {
      const { items, pk } = await withItems(target, "a");
      const operations = [{ op: "incr", path: "/n", value: 1 }];
      const patch = (resourceBody: unknown): Fields => ({ operationType: "Patch", id: "a", resourceBody });
      const right = await items.batch(
        [pk],
        [patch(operations), patch({ operations, condition: "from c where c.n = 2" })],
      );
      expectEqual(statusesOf(expectStatus(right, 200)), [200, 200], "the statuses");
      const wrong = await items.batch(
        [pk],
        [patch(operations), patch({ operations, condition: "from c where c.n = 2" })],
      );
      expectEqual(statusesOf(expectStatus(wrong, 207)), [424, 412], "the statuses with a false condition");
      expectEqual((await items.read([pk], "a")).fields["n"], 3, "the stored value");
    },
  },
  {
    name: "return=minimal leaves the bodies of the items out",
    evidence: ["1.5 minimal answers"],
    async run(target) {
      const { items, pk } = await withItems(target);
      const headers = { ...ATOMIC_BATCH, prefer: "return=minimal" };
      const reply = expectStatus(await items.batch([pk], [create(pk, "a")], headers), 200);
      expectEqual([statusesOf(reply), reply.objects[0]?.["resourceBody"]], [[201], undefined], "the entry");
      expectMatch(String(reply.objects[0]?.["eTag"]), /^".+"$/, "its etag");
    },
  },
  {
    name: "the SDK gives 200 and 207 back with the results",
    evidence: ["1.6 sdk result", "6 batch"],
    async run(target) {
      const { pk } = await withItems(target, "taken");
      const { items } = await target.sdkContainer();
      const done = await items.batch([{ operationType: "Create", resourceBody: { id: "a", pk } }], pk);
      expectEqual([done.code, done.result?.[0]?.statusCode], [200, 201], "the codes of a success");
      expectMatch(done.result?.[0]?.eTag, /^".+"$/, "the etag");
      const failed = await items.batch(
        [
          { operationType: "Create", resourceBody: { id: "b", pk } },
          { operationType: "Create", resourceBody: { id: "taken", pk } },
        ],
        pk,
      );
      expectEqual(failed.code, 207, "the code of a failure");
      expectEqual(
        failed.result?.map((entry) => entry.statusCode),
        [424, 409],
        "the statuses of a failure",
      );
    },
  },
]);
