/**
 * Stores the changes of a turn (docs/reference/provider-contract.md §7): checks first, then writes that cannot fail.
 */
import type { TurnContent } from "../../../contract/provider.ts";
import { hasEnded } from "../../../contract/status.ts";
import { toPositiveId } from "../../../stores/arguments.ts";
import { dueMsOf, timerKey, toDroppedTimers } from "../../../stores/timers.ts";
import { type EventEntry, toActivityRow, toEventEntries, toMessageRow } from "../codec.ts";
import {
  type ActivityRow,
  currentExecution,
  currentExecutionId,
  type MessageRow,
  type Store,
} from "../store.ts";
import { addEvents, refuseDuplicates } from "./append-history.ts";
import { storeCustomStatus } from "./store-custom-status.ts";
import { storeExecution, storeInstance } from "./store-execution.ts";
import { storeKv } from "./store-kv.ts";
import { openStreams, storeStreams } from "./streams.ts";

export interface PreparedTurn {
  readonly content: TurnContent;
  readonly executionId: number;
  readonly nowMs: number;
  readonly events: readonly EventEntry[];
  readonly activities: readonly ActivityRow[];
  readonly returned: readonly MessageRow[];
  readonly messages: readonly MessageRow[];
  readonly dropped: ReadonlySet<string>;
}

/** Refuses text that cannot be written. */
export function prepareTurn(operation: string, content: TurnContent, nowMs: number): PreparedTurn {
  const executionId = toPositiveId(operation, "executionId", content.executionId);
  const returned = (content.returnedMessages ?? []).map((item) => ({
    ...toMessageRow(operation, item, nowMs),
    orderAtMs: beforeAll(executionId),
  }));
  const messages = content.orchestratorItems.map((item) =>
    toMessageRow(operation, item, nowMs, dueMsOf(item) ?? nowMs),
  );
  return {
    content,
    executionId,
    nowMs,
    events: toEventEntries(operation, content.historyDelta),
    activities: content.workerItems.map((item) => toActivityRow(operation, item, nowMs)),
    returned,
    messages,
    dropped: new Set(toDroppedTimers(operation, content).map(timerKey)),
  };
}

export function refuseTurn(store: Store, operation: string, instanceId: string, turn: PreparedTurn): void {
  refuseDuplicates(store, operation, instanceId, turn.executionId, turn.events);
}

/** `historyTag` identifies the history after the commit. */
export function storeTurn(store: Store, instanceId: string, historyTag: string, turn: PreparedTurn): void {
  const { content, executionId, nowMs, events, activities, returned, messages, dropped } = turn;
  const { metadata, historyDelta, cancelledActivities } = content;
  const isBegun = executionId > currentExecutionId(store, instanceId);
  if (isBegun && hasEnded(currentExecution(store, instanceId)?.status)) openStreams(store, instanceId);
  storeInstance(store, instanceId, content, nowMs);
  addEvents(store, instanceId, executionId, events, nowMs);
  storeExecution(store, instanceId, executionId, content, nowMs);
  storeCustomStatus(store, instanceId, historyDelta);
  storeKv(store, instanceId, historyDelta, metadata.status !== undefined, nowMs);
  if (content.streams !== undefined) storeStreams(store, instanceId, content.streams);
  // Added before any is cancelled, because a turn may schedule and cancel the same activity.
  store.activities.push(...activities);
  for (const { instanceId: instance, executionId: execution, activityId } of cancelledActivities) {
    store.activities = store.activities.filter(
      (row) => row.instanceId !== instance || row.executionId !== execution || row.activityId !== activityId,
    );
  }
  const isDropped = (row: MessageRow): boolean =>
    row.instanceId === instanceId && row.timer !== undefined && dropped.has(row.timer);
  if (dropped.size > 0) store.messages = store.messages.filter((row) => !isDropped(row));
  store.messages.push(...returned, ...messages);
  store.instanceLocks.delete(instanceId);
  store.blockedInstances.delete(instanceId);
  store.historyTags.set(instanceId, historyTag);
}

/** Messages that a later execution returns come before those that an earlier one returned (§7.1). */
function beforeAll(executionId: number): number {
  return -executionId;
}
