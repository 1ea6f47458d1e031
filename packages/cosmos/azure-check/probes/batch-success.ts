/** Probe 1: a batch of every kind of write, as a turn's commit is one. */
import { ATOMIC_BATCH } from "../../../cosmos-emulator/conformance/client/items.ts";
import { fieldsOf } from "../../../cosmos-emulator/conformance/client/reply.ts";
import {
  expect,
  expectEqual,
  expectMatch,
  expectStatus,
} from "../../../cosmos-emulator/conformance/expect.ts";
import { step } from "../step.ts";

export const BATCH_SUCCESS = step({
  id: "2.1",
  phase: 2,
  title: "A batch of create, upsert, replace, patch and delete",
  gates: {
    "batch-statuses": "an atomic batch of all kinds is 200, with the status of each operation",
    "batch-etags": "each written document's etag and _rid are in the answer, and the etag is the stored one",
    "batch-session": "the answer has a session token and the path that it belongs to",
  },
  estimateRu: () => 80,
  isRecorded: true,
  async run(stage, notes) {
    const { items, pk } = await stage.partitionWith(
      "batch",
      { id: "replaced" },
      { id: "patched" },
      { id: "deleted" },
    );
    const reply = await items.batch(
      [pk],
      [
        { operationType: "Create", resourceBody: { id: "created", instanceId: pk } },
        { operationType: "Upsert", resourceBody: { id: "upserted", instanceId: pk } },
        { operationType: "Replace", id: "replaced", resourceBody: { id: "replaced", instanceId: pk, n: 1 } },
        {
          operationType: "Patch",
          id: "patched",
          resourceBody: { operations: [{ op: "set", path: "/n", value: 1 }] },
        },
        { operationType: "Delete", id: "deleted" },
      ],
      ATOMIC_BATCH,
    );
    await notes.gate("batch-statuses", () => {
      expectStatus(reply, 200);
      const statuses = reply.objects.map((entry) => entry["statusCode"]);
      expectEqual(statuses, [201, 201, 200, 200, 204], "the statuses");
    });
    await notes.gate("batch-etags", async () => {
      for (const [index, id] of ["created", "upserted", "replaced", "patched"].entries()) {
        const entry = fieldsOf(reply.objects[index]);
        expectMatch(String(entry["eTag"]), /^".+"$/, `the etag of ${id}`);
        expectMatch(String(fieldsOf(entry["resourceBody"])["_rid"]), /./, `the _rid of ${id}`);
        const stored = expectStatus(await items.read([pk], id), 200);
        expectEqual(stored.fields["_etag"], entry["eTag"], `the stored etag of ${id}`);
      }
    });
    await notes.gate("batch-session", () => {
      expectMatch(reply.header("x-ms-session-token"), /^\d+:.+#\d+/, "x-ms-session-token");
      expect(reply.header("x-ms-content-path") !== undefined, "x-ms-content-path is missing");
      expectEqual(reply.header("x-ms-alt-content-path"), items.link, "x-ms-alt-content-path");
    });
  },
});
