/** Writes a commit, in one batch if it fits, else staged. It is stored whole or refused whole in both cases. */
import { ProviderError } from "@duroxide-ts/core";
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Written } from "../documents/body.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import { LOST, type Outcome, write } from "../leases/lease.ts";
import { storedEvents } from "../leases/stored-events.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import { type BatchOperation, writtenBy } from "../service/batch.ts";
import { isOneBatch } from "../service/split.ts";
import { forgetStreams, isStreamRecord, wroteStreams } from "../streams/turn-streams.ts";
import { type Commit, operationsOf } from "./commit.ts";
import { stageCommit } from "./stage-commit.ts";

/** The written documents, with the service's properties of the rows, if they are known. */
export interface Committed {
  /** Undefined if another write came after the commit. */
  readonly instance: Instance | undefined;
  readonly rows: ReadonlyMap<string, Written>;
}

/** `refused` if a message of the turn is deleted: another turn has consumed it. `lease`: of a turn with a lock. */
export async function writeCommit(
  work: Work,
  commit: Commit,
  lease?: TurnLease,
): Promise<Outcome<Committed>> {
  if (isOneBatch(commit.size)) return writeAtOnce(work, commit);
  await refuseStoredEvents(work, commit);
  return stageCommit(work, commit, lease);
}

/**
 * Sorts refusals (commit.K1 to commit.K7). Where `write` reports a refused operation, nothing was stored. The caller gives
 * the turn back where that was a deletion (its message or activity is gone), the replacement of a row (commit.K7: the
 * activity that it had is gone), or a receipt (its start was delivered before, unstored-start.T4). A creation of an event is
 * a `duplicate-event`; the rest is an error of this provider.
 */
async function writeAtOnce(work: Work, commit: Commit): Promise<Outcome<Committed>> {
  const { instanceId, after, cancelled, delivered } = commit;
  const outcome = await write<Committed>(work, {
    partition: instanceId,
    operations: operationsOf(commit),
    stored: (answer, operations) => ({
      instance: writtenInstance(work.operation, instanceDocumentId(instanceId), after, answer.etags[0]),
      rows: writtenBy(operations, answer),
    }),
    isOptional: (operation) =>
      operation.kind === "delete"
        ? cancelled.has(operation.id) || delivered.has(operation.id)
        : isMirror(operation),
    storedBefore: () => committedBefore(work, commit),
  });
  if (outcome.kind === "done")
    wroteStreams(work, instanceId, commit.streams, (id) => outcome.value.rows.get(id)?._etag);
  else forgetStreams(work, instanceId, commit.streams);
  if (outcome.kind !== "refused" || isOfRow(outcome.operation)) return outcome;
  // commit.K6
  if (isStreamRecord(outcome.operation)) return LOST;
  const { operation, status } = outcome;
  if (operation.kind === "create" && operation.body["type"] === "receipt") return outcome;
  if (operation.kind === "create" && operation.body["type"] === "history") {
    const { executionId, eventId } = operation.body;
    throw ProviderError.duplicateEvent(work.operation, Number(executionId), Number(eventId));
  }
  throw unexpected(work.operation, status);
}

/** A message or an activity that the commit ends. */
function isOfRow(operation: BatchOperation): boolean {
  return (
    operation.kind === "delete" || (operation.kind === "replace" && operation.body["type"] === "worker_queue")
  );
}

/** Another process has written it (leases/session-mirror.ts). */
function isMirror(operation: BatchOperation): boolean {
  return (
    (operation.kind === "create" || operation.kind === "replace") && operation.body["type"] === "session"
  );
}

/** After a lost answer the commit may be stored: the instance lists its last turns (hazard W8). */
async function committedBefore(
  work: Work,
  { instanceId, secret, after }: Commit,
): Promise<Committed | undefined> {
  const instance = await storedInstance(work, instanceId);
  if (instance?.notes.turns?.includes(secret) !== true) return undefined;
  // After a turn of another process, documents of this commit may be deleted.
  const { lockToken } = instance.document;
  const isUntouched = lockToken === after["lockToken"] && instance.notes.turns[0] === secret;
  return { instance: isUntouched ? instance : undefined, rows: new Map() };
}

function unexpected(operation: string, status: number): ProviderError {
  const message = `the service refused a part of the commit (${status}); nothing was stored`;
  return new ProviderError({ code: "internal", operation, message });
}

/**
 * A decided commit cannot be refused, so duplicate events are searched before the decision. No turn can add one
 * between the search and the decision, because its commit would change the ETag of the instance.
 */
async function refuseStoredEvents(work: Work, commit: Commit): Promise<void> {
  const executionId = commit.history[0]?.executionId;
  if (executionId === undefined || areNew(commit)) return;
  const ids = commit.history.map(({ eventId }) => eventId);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw ProviderError.duplicateEvent(work.operation, executionId, repeated);
  const span = { executionId, first: Math.min(...ids), last: Math.max(...ids) };
  const stored = await storedEvents(work, commit.instanceId, span);
  const duplicate = stored.find((id) => ids.includes(id));
  if (duplicate !== undefined) throw ProviderError.duplicateEvent(work.operation, executionId, duplicate);
}

/**
 * Decides from the note of the instance about its history. A Rust process that writes the instance removes the note.
 */
function areNew({ locked: { document, notes }, history }: Commit): boolean {
  const { lastEventId } = notes;
  const current = saturatedNumber(document.currentExecutionId);
  if (lastEventId === undefined) return false;
  return history.every(
    ({ eventId, executionId }, index) =>
      executionId === current && eventId > (history[index - 1]?.eventId ?? lastEventId),
  );
}
