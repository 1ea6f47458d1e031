/**
 * The writes of a turn as one value. plan-commit.ts makes it, commit-claims.ts adds locks, and it is written in one batch
 * (write-commit.ts) or staged (stage-commit.ts). All of it is stored, or nothing.
 *
 * - commit.K1: The instance document is the first operation. Its ETag is the condition of all others (lease.L1), and a
 *   refusal at position 0 is the only one that may mean a lost lock.
 * - commit.K2: The deletion of a message has no ETag, but it is refused where the message is gone. So no message is
 *   processed twice, also where it comes from the memory of the process and another turn has consumed it.
 * - commit.K3: Events are created, never replaced. A second event with the same id refuses the commit as
 *   `duplicate-event`.
 * - commit.K4: Four kinds of operations may be refused without harm, and are then left out: the deletion of a cancelled
 *   activity, which may have ended meanwhile, that of a dropped timer, which Rust may have written, that of a delivered
 *   intent, which a reconciler may have deleted, and the write of what Rust reads of a session, which another process
 *   may have written.
 * - commit.K6: The record of a stream may be refused, because an activity has written to it meanwhile. Nothing is stored
 *   then, and the commit is planned again.
 * - commit.K7: The row of a new activity may take the place of one that ends: the document is replaced, which costs less
 *   than a deletion and a creation. Every request that names the row then has its ETag as a condition, so that none of the
 *   old activity reaches the new one (docs/decisions/cosmos-turns.md).
 * - commit.K5: Everything else is refused only by mistakes or by the limits of the service, and is an error.
 */
import { type ActivityExecute, hasEnded, invariant, type OrchestratorItem } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
import type { HistoryBody } from "../documents/history.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import type { Intent } from "../documents/intent.ts";
import type { NewRow } from "../documents/rows.ts";
import type { BatchOperation } from "../service/batch.ts";
import { isOneBatch, type Size, sizeOfAll } from "../service/split.ts";
import type { TurnStreams } from "../streams/turn-streams.ts";

/** A row of a queue, and its document. */
export interface Queueing<Item> {
  readonly row: NewRow<Item>;
  readonly body: Body;
}

export interface Writes {
  readonly instanceId: string;
  /** The secret of the lock. The instance stores it, so that the commit is recognised after a lost answer. */
  readonly secret: string;
  /** The instance with the lock: its ETag is the condition of the commit. Without an ETag it is created. */
  readonly locked: Instance;
  /** The instance document after the turn. */
  readonly after: Body;
  /** The messages of the turn, by their ids. */
  readonly taken: ReadonlySet<string>;
  /** Activities that end with the turn: the ETags of their rows, by id. A new activity may have such an id (commit.K7). */
  readonly ended: ReadonlyMap<string, string>;
  readonly history: readonly HistoryBody[];
  /** Messages for this instance. */
  readonly messages: readonly Queueing<OrchestratorItem>[];
  readonly activities: readonly Queueing<ActivityExecute>[];
  /** Operations for what Rust reads of the sessions of locked activities, where no other process has written it. */
  readonly mirrors: readonly BatchOperation[];
  /** Intents for other instances. */
  readonly intents: readonly Intent[];
  /** Receipt of the start, if another instance has sent it and it is stored with its first turn. */
  readonly receipts: readonly Body[];
  /** Records of executions that are not the current one. */
  readonly executions: readonly Body[];
  readonly kv: readonly BatchOperation[];
  /** Records of streams under their ETags, and their new batches. A staged commit writes them with its decision. */
  readonly streams: readonly BatchOperation[];
  /** The changes by which they are made again where another writer has changed a stream. */
  readonly ofStreams: TurnStreams | undefined;
  /** The rows of activities that the turn cancels, and of timers that it drops. A row may be absent (commit.K4). */
  readonly cancelled: ReadonlySet<string>;
  /** Intents whose messages have arrived. One may be absent, because a reconciler of another process deleted it. */
  readonly delivered: ReadonlySet<string>;
}

export interface Commit extends Writes {
  /** Size without locks for waiting fetches, for which the limits leave room. */
  readonly size: Size;
}

/** Only the instance document. */
export function writesOf(instance: Instance, secret: string, after: Body): Writes {
  const { instanceId } = instance.document;
  const rows = {
    messages: [],
    activities: [],
    mirrors: [],
    intents: [],
    receipts: [],
    taken: new Set<string>(),
    ended: new Map<string, string>(),
    cancelled: new Set<string>(),
    delivered: new Set<string>(),
  };
  return {
    instanceId,
    secret,
    locked: instance,
    after,
    ...rows,
    history: [],
    executions: [],
    kv: [],
    streams: [],
    ofStreams: undefined,
  };
}

export function toCommit(writes: Writes): Commit {
  return { ...writes, size: sizeOfAll(operationsOf(writes)) };
}

/** Also deletes these intents, if the batch has room for them. */
export function withDelivered(commit: Commit, delivered: ReadonlySet<string>): Commit {
  const larger = toCommit({ ...commit, delivered });
  return delivered.size > 0 && isOneBatch(larger.size) ? larger : commit;
}

/**
 * The batch. An instance without an ETag is created, so that a start which is stored with its first turn is refused
 * where the instance exists (unstored-start.T1).
 */
export function operationsOf(writes: Writes): readonly BatchOperation[] {
  const { instanceId, locked, after } = writes;
  const id = instanceDocumentId(instanceId);
  invariant(after["id"] === id, "commit.K1");
  const instance: BatchOperation =
    locked.etag === "" ? created(after) : { kind: "replace", id, body: after, ifMatch: locked.etag };
  return [instance, ...rowOperations(writes), ...writes.streams];
}

/** Whether another commit of the instance is expected. */
export function goesOn({ after }: Commit): boolean {
  return !hasEnded(String(after["status"]));
}

/** Everything except the instance document and streams, which a staged commit writes by themselves. */
export function rowOperations(writes: Writes): readonly BatchOperation[] {
  const { taken, ended, history, messages, intents, receipts, executions, kv, activities, mirrors } = writes;
  const { cancelled, delivered } = writes;
  const over = new Set(activities.map(({ row }) => row.id).filter((id) => ended.has(id)));
  return [
    ...receipts.map(created),
    ...[...taken].map(deleted),
    ...[...ended].flatMap(([id, ifMatch]): BatchOperation[] =>
      over.has(id) ? [] : [{ kind: "delete", id, ifMatch }],
    ),
    ...history.map(created),
    ...messages.map(queued),
    ...intents.map(({ body }) => created(body)),
    ...executions.map(upserted),
    ...kv,
    ...[...cancelled, ...delivered].map(deleted),
    ...activities.map(({ row, body }) => activity(body, row.id, ended.get(row.id))),
    ...mirrors,
  ];
}

/** After an end by Rust the row of the deadline may still be there, under the same id. */
function queued({ row: { item }, body }: Queueing<OrchestratorItem>): BatchOperation {
  return item.kind === "CancelInstance" && item.deadline_ms !== undefined ? upserted(body) : created(body);
}

/** commit.K7. Its row replaces the one that ends, if it has the id of one. */
function activity(body: Body, id: string, ifMatch: string | undefined): BatchOperation {
  return ifMatch === undefined ? created(body) : { kind: "replace", id, body, ifMatch };
}

function created(body: Body): BatchOperation {
  return { kind: "create", body };
}

function upserted(body: Body): BatchOperation {
  return { kind: "upsert", body };
}

function deleted(id: string): BatchOperation {
  return { kind: "delete", id };
}
