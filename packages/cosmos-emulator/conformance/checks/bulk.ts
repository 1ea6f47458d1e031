/** Bulk requests: many operations on many partition keys, none of which waits for another. */
import type { OperationInput } from "@azure/cosmos";
import { inGroup } from "../check.ts";
import { expectEqual, expectStatus } from "../expect.ts";
import { unique } from "../target.ts";

const HEADERS = {
  "x-ms-cosmos-is-batch-request": "true",
  "x-ms-cosmos-batch-atomic": "false",
  "x-ms-cosmos-batch-continue-on-error": "true",
};

export const BULK = inGroup("bulk", [
  {
    name: "one entry for each operation in order, failures among successes",
    evidence: ["1.7 bulk", "1.7 bulk reply"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const first = expectStatus(await items.create([pk], { id: "taken", pk }), 201);
      const rangeId = first.header("x-ms-documentdb-partitionkeyrangeid") ?? "0";
      const partitionKey = JSON.stringify([pk]);
      const operations = [
        { operationType: "Create", partitionKey, resourceBody: { id: "a", pk } },
        { operationType: "Create", partitionKey, resourceBody: { id: "taken", pk } },
        { operationType: "Read", partitionKey, id: "taken" },
        { operationType: "Delete", partitionKey, id: "absent" },
        { operationType: "Upsert", partitionKey, resourceBody: { id: "b", pk } },
      ];
      const reply = await target.raw.send({
        method: "POST",
        link: `${items.link}/docs`,
        headers: { ...HEADERS, "x-ms-documentdb-partitionkeyrangeid": rangeId },
        body: operations,
      });
      expectStatus(reply, 207);
      expectEqual(
        reply.objects.map((entry) => entry["statusCode"]),
        [201, 409, 200, 404, 201],
        "the statuses",
      );
      expectStatus(await items.read([pk], "b"), 200);
    },
  },
  {
    name: "the SDK stores and deletes 150 items of many partition keys",
    evidence: ["1.7 bulk", "1.7 bulk reply"],
    async run(target) {
      const container = await target.sdkContainer(await target.temporary());
      const ids = Array.from({ length: 150 }, (_, n) => `i${n}`);
      const creations: OperationInput[] = ids.map((id) => ({
        operationType: "Create",
        partitionKey: `pk-${id}`,
        resourceBody: { id, pk: `pk-${id}` },
      }));
      const created = await container.items.executeBulkOperations(creations);
      expectEqual(
        created.filter(({ response }) => response?.statusCode === 201).length,
        150,
        "the creations",
      );
      const deletions: OperationInput[] = ids.map((id) => ({
        operationType: "Delete",
        id,
        partitionKey: `pk-${id}`,
      }));
      const deleted = await container.items.executeBulkOperations(deletions);
      expectEqual(
        deleted.filter(({ response }) => response?.statusCode === 204).length,
        150,
        "the deletions",
      );
      expectEqual((await container.items.readAll().fetchAll()).resources, [], "what is left");
    },
  },
]);
