/**
 * Turns the acknowledgement of a turn into its commit. It reads only what the commit depends on and the process does not
 * have: key-values that are merged, the record of an earlier execution, rows of activities that are cancelled and of many
 * timers that are dropped. The first two change only with the instance, so its ETag protects these reads, too; a
 * cancelled activity may end meanwhile (commit.K4).
 */
import { type ActivityExecute, type OrchestratorItem, saturatedNumber } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
import { eventBody } from "../documents/history.ts";
import { newIntent } from "../documents/intent.ts";
import { rankedBy } from "../documents/ranked.ts";
import { activityBody, messageBody, type NewRow, type Requester } from "../documents/rows.ts";
import { markRanked } from "../limits/mark.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Parts, Work } from "../memory/parts.ts";
import { streamOperations, turnStreams } from "../streams/turn-streams.ts";
import { afterTurn } from "./after-turn.ts";
import { type Commit, toCommit } from "./commit.ts";
import { endedExecution, lateExecution } from "./execution-records.ts";
import { type KvChanges, kvChanges } from "./kv-changes.ts";
import { newRow } from "./new-row.ts";
import type { PreparedTurn } from "./prepared-turn.ts";
import { cancelledRows, droppedRows } from "./removed-rows.ts";

/** Activities that end with the turn. */
export interface Ended {
  /** ETags of their rows, by id. */
  readonly etags: ReadonlyMap<string, string>;
  /** Ids of rows that new activities may take over (commit.K7). */
  readonly free: readonly string[];
}

export async function planCommit(
  work: Work,
  held: Planned,
  turn: PreparedTurn,
  ended: Ended = NOTHING_ENDED,
  keyValues?: KvChanges,
): Promise<Commit> {
  const { instanceId, secret, instance, receipt } = held;
  const { executionId } = turn;
  const kv = keyValues ?? (await kvChanges(work, instance, turn));
  const nowMs = work.clock.now();
  const after = afterTurn(instance, turn, kv.layers, nowMs);
  const requester = requesterOf(after);
  const { activities, messages } = rowsOf(work, turn, nowMs);
  if (activities.some(({ item }) => rankedBy(item) !== undefined)) await markRanked(work);
  const isOwn = ({ instanceId: target }: NewRow<unknown>): boolean => target === instanceId;
  const current = saturatedNumber(instance.document.currentExecutionId);
  // Only executions that are not the current one have records; the current one is described by the instance document.
  const executions = [
    ...(executionId < current ? [await lateExecution(work, instanceId, turn)] : []),
    ...(executionId > current ? await endedExecution(work, instance) : []),
  ];
  const taken = new Set(held.rows.map(({ id }) => id));
  const cancelled = new Set([
    ...(await cancelledRows(work, instanceId, turn.cancelled)),
    ...(await droppedRows(work, instanceId, turn, taken)),
  ]);
  const free = ended.free.filter((id) => !cancelled.has(id));
  const streams = turnStreams(instance, turn);
  return toCommit({
    instanceId,
    secret,
    locked: instance,
    after,
    taken,
    ended: ended.etags,
    history: turn.events.map((row) => eventBody(instanceId, executionId, row)),
    messages: messages.filter(isOwn).map((row) => ({ row, body: messageBody(row) })),
    activities: activities
      .filter(isOwn)
      .map((row) => takenOver(row, free))
      .map((row) => ({ row, body: activityBody(row, requester) })),
    mirrors: [],
    // A batch is for one partition, so what is for other instances is stored here, and delivered after the commit. The
    // index is a part of the key by which a repeated delivery is recognised (docs/decisions/cosmos-delivery.md).
    intents: [...activities, ...messages]
      .filter((row) => !isOwn(row))
      .map((row, index) => newIntent(row, { source: instanceId, secret, index })),
    receipts: receipt === undefined ? [] : [receipt],
    executions,
    kv: kv.operations,
    streams: streams === undefined ? [] : await streamOperations(work, streams),
    ofStreams: streams,
    cancelled,
    delivered: new Set(),
  });
}

/** The base of a commit: the instance, locked or not, and the messages of the turn. */
export interface Planned extends Pick<TurnLease, "instanceId" | "secret" | "instance" | "rows"> {
  readonly receipt?: Body | undefined;
}

const NOTHING_ENDED: Ended = { etags: new Map(), free: [] };

/** The activity under the id of the next free row. The place of a ranked one is in its row (documents/ranked.ts). */
function takenOver(row: NewRow<ActivityExecute>, free: string[]): NewRow<ActivityExecute> {
  const id = rankedBy(row.item) === undefined ? free.shift() : undefined;
  return id === undefined ? row : { ...row, id };
}

interface Rows {
  readonly activities: readonly NewRow<ActivityExecute>[];
  readonly messages: readonly NewRow<OrchestratorItem>[];
}

/**
 * Activities that the same turn cancels are not written: a creation and a deletion of one document in one batch would be
 * refused. An activity becomes visible at once; a message may be a timer, with a time of its own.
 */
function rowsOf(parts: Parts, turn: PreparedTurn, nowMs: number): Rows {
  return {
    activities: turn.activities
      .filter((item) => !isCancelled(item, turn))
      .map((item) => newRow(parts, item.instance.toWellFormed(), item, { nowMs })),
    messages: turn.messages.map(({ instanceId, item, visibleAtMs, enqueuedAtMs }) =>
      newRow(parts, instanceId, item, { nowMs, visibleAtMs, enqueuedAtMs }),
    ),
  };
}

function isCancelled(item: ActivityExecute, { cancelled }: PreparedTurn): boolean {
  return cancelled.some(
    ({ instanceId, executionId, activityId }) =>
      instanceId === item.instance && executionId === item.execution_id && activityId === item.id,
  );
}

/** Undefined before the first turn has named the instance; then a fetch of the activity reads the history. */
function requesterOf(after: Body): Requester | undefined {
  const { orchestrationName: name, orchestrationVersion: version } = after;
  if (typeof name !== "string" || typeof version !== "string" || name === "") return undefined;
  return { name, version };
}
