/** Probe 2: an etag that is not the document's. All locks rest on it. */

import { step } from "../step.ts";
import { expectRefused } from "./batch-refusal.ts";

const ELSE = '"00000000-0000-0000-0000-000000000000"';
const PRECONDITION_FAILED = 412;

const DOCUMENT = { id: "a", n: 0 };
const CHANGED = { id: "a", n: 1 };
const SET = { operations: [{ op: "set", path: "/n", value: 1 }] };

export const PRECONDITIONS = step({
  id: "2.2",
  phase: 2,
  title: "A wrong etag in a batch",
  gates: {
    "etag-replace":
      "a replace with a wrong ifMatch is 412, the others 424, and nothing is stored; first, middle and last",
    "etag-patch": "the same for a patch",
    "etag-delete": "the same for a delete",
  },
  estimateRu: () => 300,
  isRecorded: true,
  async run(stage, notes) {
    const refused = (failedOperation: object): Promise<void> =>
      expectRefused(stage, { id: "a", ifMatch: ELSE, ...failedOperation }, PRECONDITION_FAILED, [DOCUMENT]);
    await notes.gate("etag-replace", () => refused({ operationType: "Replace", resourceBody: CHANGED }));
    await notes.gate("etag-patch", () => refused({ operationType: "Patch", resourceBody: SET }));
    await notes.gate("etag-delete", () => refused({ operationType: "Delete" }));
    // Not documented, and not sent by the provider.
    await notes.expect("an upsert with a wrong ifMatch is 412 too", () =>
      refused({ operationType: "Upsert", resourceBody: CHANGED }),
    );
  },
});
