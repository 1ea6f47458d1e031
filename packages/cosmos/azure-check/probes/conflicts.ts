/** Probe 3: a document that is there already, one that is not there, and two culprits in one batch. */
import { expectEqual, expectStatus } from "@duroxide-ts/cosmos-emulator/conformance";
import { step } from "../step.ts";
import { expectRefused, statusesOf } from "./batch-refusal.ts";

const DOCUMENT = { id: "a", n: 0 };
const CONFLICT = 409;
const NOT_FOUND = 404;

export const CONFLICTS = step({
  id: "2.3",
  phase: 2,
  title: "Conflicts and absent documents in a batch",
  gates: {
    conflict: "a create of what exists is 409, the others 424, and nothing is stored; first, middle and last",
    absent: "replace, patch and delete of what is absent are 404, the others 424, and nothing is stored",
  },
  estimateRu: () => 300,
  isRecorded: true,
  async run(stage, notes) {
    const create = { operationType: "Create", resourceBody: DOCUMENT };
    await notes.gate("conflict", () => expectRefused(stage, create, CONFLICT, [DOCUMENT]));
    await notes.gate("absent", async () => {
      const replace = { operationType: "Replace", id: "absent", resourceBody: { id: "absent" } };
      const set = { operations: [{ op: "set", path: "/n", value: 1 }] };
      const patch = { operationType: "Patch", id: "absent", resourceBody: set };
      for (const failedOperation of [replace, patch, { operationType: "Delete", id: "absent" }])
        await expectRefused(stage, failedOperation, NOT_FOUND, []);
    });
    const { items, pk } = await stage.partitionWith("culprits", DOCUMENT);
    const both = await items.batch(
      [pk],
      [
        { operationType: "Delete", id: "absent" },
        { operationType: "Create", resourceBody: { ...DOCUMENT, instanceId: pk } },
      ],
    );
    notes.record("statuses with two culprits", statusesOf(both));
    await notes.expect("of two culprits the first is named", () => {
      expectStatus(both, 207);
      expectEqual(statusesOf(both), [NOT_FOUND, 424], "the statuses");
    });
  },
});
