/**
 * The documents of a commit that does not fit into a batch (docs/decisions/cosmos-delivery.md).
 *
 * - staged-commit.S1: The operations are stored in pieces first, under a key of this attempt. None of the documents has
 *   a time to live, so that a decided commit is applied after any downtime.
 * - staged-commit.S2: If the pieces do not fit into the batch that decides, the process writes a note of them first.
 *   The decision deletes the note on condition that it is unchanged.
 * - staged-commit.S3: The cleanup leaves a note alone while the instance is locked for its commit. It moves a note that
 *   is left over to another id before it removes the pieces. Without the note at its id no further piece is stored and
 *   the commit cannot be decided: a piece of a decided commit is never removed without being applied, and a piece that
 *   arrives late is not left behind.
 */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Body, Stored } from "../documents/body.ts";
import { droppedStagingDocumentId, stagedDocumentId, stagingDocumentId } from "../documents/ids.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { EventSpan } from "./stored-events.ts";
import { storedInstance } from "./stored-instance.ts";

/** The intent of a decided commit, in the partition of the instance. */
export interface CommitIntent {
  readonly secret: string;
  /** The prefix of the pieces' ids. */
  readonly stage: string;
  readonly pieces: number;
  /** The instance document after the commit. */
  readonly after: Body;
  /** Its events, which prove that absent pieces were applied; undefined if it has none. */
  readonly events?: (EventSpan & { readonly count: number }) | undefined;
  /** Ms since the epoch. */
  readonly createdAt: number;
}

export function toCommitIntent(stored: Stored): CommitIntent {
  const secret = String(stored["secret"]);
  return {
    secret,
    stage: String(stored["stage"] ?? secret),
    pieces: Number(stored["pieces"]),
    after: stored["after"] as Body,
    events: stored["events"] as CommitIntent["events"],
    createdAt: Number(stored["createdAt"]),
  };
}

export function stagedBody(id: string, instanceId: string, operations: readonly BatchOperation[]): Body {
  return { id, instanceId, type: "staged", operations: operations.map((operation) => ({ ...operation })) };
}

export interface StagingNote {
  readonly instanceId: string;
  /** Secret of the lock under which the pieces are stored. */
  readonly secret: string;
  readonly stage: string;
  readonly pieces: number;
  /** The end of the lock when the note was written, ms since the epoch. Later writes may extend the lock. */
  readonly untilMs: number;
}

/** The note of the pieces (staged-commit.S2). The reconciler looks at `createdAt`, as for all unfinished work. */
export function stagingBody({ instanceId, secret, stage, pieces, untilMs }: StagingNote): Body {
  const id = stagingDocumentId(instanceId, stage);
  return { id, instanceId, type: "staging", secret, stage, pieces, createdAt: untilMs };
}

/** Removes the pieces of a commit that was not decided, unless a process is still storing them (staged-commit.S3). */
export async function dropStaging(work: Work, stored: Stored): Promise<void> {
  const instanceId = String(stored["instanceId"]);
  const note: StagingNote = {
    instanceId,
    secret: String(stored["secret"]),
    stage: String(stored["stage"]),
    pieces: Number(stored["pieces"]),
    untilMs: Number(stored["createdAt"]),
  };
  const id = droppedStagingDocumentId(instanceId, note.stage);
  if (stored.id !== id) {
    const document = (await storedInstance(work, instanceId))?.document;
    const isLocked = saturatedNumber(document?.lockedUntil ?? 0) > work.clock.now();
    if (isLocked && document?.lockToken === note.secret) return;
    const moved = await work.batch(instanceId, [
      { kind: "delete", id: stored.id, ifMatch: stored._etag },
      { kind: "create", body: { ...stagingBody(note), id } },
    ]);
    // After a lost answer the next pass finds the moved note.
    if (!moved.ok) return;
  }
  for (let index = 0; index < note.pieces; index++) {
    await work.batch(instanceId, [{ kind: "delete", id: stagedDocumentId(instanceId, note.stage, index) }]);
  }
  await work.batch(instanceId, [{ kind: "delete", id }]);
}
