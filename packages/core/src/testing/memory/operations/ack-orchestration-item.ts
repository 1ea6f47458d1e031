/**
 * Commits a turn (docs/reference/provider-contract.md §7). All checks come first: text that cannot be written, the
 * lock, event ids that are taken. After the first write no step can fail.
 */
import type { AckedOrchestration, OrchestrationAck } from "../../../contract/provider.ts";
import { toPositiveId } from "../../../stores/arguments.ts";
import { saturatedNumber } from "../../../wire/integer.ts";
import type { OrchestratorItem } from "../../../wire/work-item.ts";
import { toActivityRow, toEventEntries, toMessageRow } from "../codec.ts";
import { findValidInstanceLock } from "../locks.ts";
import type { Store } from "../store.ts";
import { addEvents, refuseDuplicates } from "./append-history.ts";
import { storeCustomStatus } from "./store-custom-status.ts";
import { storeExecution, storeInstance } from "./store-execution.ts";
import { storeKv } from "./store-kv.ts";

const OPERATION = "ackOrchestrationItem";

export interface CommittedTurn {
  readonly instanceId: string;
  readonly acked: AckedOrchestration;
}

export function ackOrchestrationItem(store: Store, ack: OrchestrationAck): CommittedTurn {
  const { lockToken, historyDelta, metadata, cancelledActivities } = ack;
  const nowMs = store.clock.now();
  const executionId = toPositiveId(OPERATION, "executionId", ack.executionId);
  const events = toEventEntries(OPERATION, historyDelta);
  const activities = ack.workerItems.map((item) => toActivityRow(OPERATION, item, nowMs));
  const messages = ack.orchestratorItems.map((item) =>
    toMessageRow(OPERATION, item, nowMs, visibleAtMs(item, nowMs)),
  );
  const returned = (ack.returnedMessages ?? []).map((item) => ({
    ...toMessageRow(OPERATION, item, nowMs),
    orderAtMs: beforeAll(executionId),
  }));
  const { instanceId } = findValidInstanceLock(store, OPERATION, lockToken, nowMs);
  refuseDuplicates(store, OPERATION, instanceId, executionId, events);

  store.messages = store.messages.filter((row) => row.lockToken !== lockToken);
  storeInstance(store, instanceId, metadata, nowMs);
  addEvents(store, instanceId, executionId, events, nowMs);
  storeExecution(store, instanceId, executionId, ack, nowMs);
  storeCustomStatus(store, instanceId, historyDelta);
  storeKv(store, instanceId, historyDelta, metadata.status !== undefined, nowMs);
  // Added before any is cancelled, so that a worker never gets an activity that one turn schedules and cancels.
  store.activities.push(...activities);
  for (const { instanceId: instance, executionId: execution, activityId } of cancelledActivities) {
    store.activities = store.activities.filter(
      (row) => row.instanceId !== instance || row.executionId !== execution || row.activityId !== activityId,
    );
  }
  store.messages.push(...returned, ...messages);
  store.instanceLocks.delete(instanceId);
  store.blockedInstances.delete(instanceId);
  store.historyTags.set(instanceId, lockToken);
  return { instanceId, acked: { historyTag: lockToken } };
}

/** Returned messages of a later execution come before those of an earlier one (§7.1). */
function beforeAll(executionId: number): number {
  return -executionId;
}

function visibleAtMs(item: OrchestratorItem, nowMs: number): number {
  return item.kind === "TimerFired" ? saturatedNumber(item.fire_at_ms) : nowMs;
}
