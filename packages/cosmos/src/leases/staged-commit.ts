/**
 * The documents of a commit that does not fit into a batch (docs/decisions/0032-cosmos-staged-commits.md).
 *
 * S1. Its operations are stored aside in pieces, under the key of this one attempt. None of the documents has a time to
 *     live: a commit that was decided outlives any downtime.
 * S2. Where the pieces do not fit into the batch that decides, a note of them is written first, and removed by the
 *     decision on condition that nobody has changed it.
 * S3. A note that is left over is marked before its pieces are removed. From the mark on the commit cannot be decided
 *     any more, so no piece of a decided commit is ever removed unapplied.
 */
import type { Body, Stored } from "../documents/body.ts";
import { stagedDocumentId, stagingDocumentId } from "../documents/ids.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import type { EventSpan } from "./stored-events.ts";

/** What the instance's partition says of a commit that was decided. */
export interface CommitIntent {
  readonly secret: string;
  /** Of the pieces' ids. */
  readonly stage: string;
  readonly pieces: number;
  /** The instance document in the end. */
  readonly after: Body;
  /** Its events, by which pieces that are gone are known to be applied; undefined where it has none. */
  readonly events?: (EventSpan & { readonly count: number }) | undefined;
}

export function toCommitIntent(stored: Stored): CommitIntent {
  const secret = String(stored["secret"]);
  return {
    secret,
    stage: String(stored["stage"] ?? secret),
    pieces: Number(stored["pieces"]),
    after: stored["after"] as Body,
    events: stored["events"] as CommitIntent["events"],
  };
}

export function stagedBody(id: string, instanceId: string, operations: readonly BatchOperation[]): Body {
  return { id, instanceId, type: "staged", operations: operations.map((operation) => ({ ...operation })) };
}

export interface Staging {
  readonly instanceId: string;
  readonly stage: string;
  readonly pieces: number;
  /** Nobody decides it after this, ms since the epoch. */
  readonly untilMs: number;
}

/** The note of the pieces (S2). The reconciler goes by `createdAt`, as with all that is unfinished. */
export function stagingBody({ instanceId, stage, pieces, untilMs }: Staging): Body {
  const id = stagingDocumentId(instanceId, stage);
  return { id, instanceId, type: "staging", stage, pieces, createdAt: untilMs };
}

/** Removes what is left of a commit that was never decided (S3). */
export async function dropStaging(call: Call, { _etag, ...note }: Stored): Promise<void> {
  const instanceId = String(note["instanceId"]);
  const stage = String(note["stage"]);
  const id = stagingDocumentId(instanceId, stage);
  if (note["dropped"] !== true) {
    const marking: BatchOperation = { kind: "set", id, values: { dropped: true }, ifMatch: _etag };
    const marked = await call.batch(instanceId, [marking]);
    // After a lost answer the next pass meets the mark.
    if (!marked.ok) return;
  }
  for (let index = 0; index < Number(note["pieces"]); index++) {
    await call.batch(instanceId, [{ kind: "delete", id: stagedDocumentId(instanceId, stage, index) }]);
  }
  await call.batch(instanceId, [{ kind: "delete", id }]);
}
