/** Commits a turn: all of it or nothing (§7). Everything that may be refused is refused before the first change. */
import {
  type AckedOrchestration,
  type ExecutionMetadata,
  type HistoryEvent,
  type OrchestrationAck,
  type OrchestratorItem,
  saturatedNumber,
} from "@duroxide-ts/core";
import { requireCount } from "../input.ts";
import type { Execution, Moment } from "../tables.ts";
import { newEvents } from "../texts.ts";
import { orchestratorRow, workerRow } from "./enqueue.ts";
import { executionOf, findExecution } from "./history.ts";
import { applyKeyValues, settleKeyValues } from "./key-values.ts";
import { lockedInstance } from "./turn-lock.ts";

const OPERATION = "ackOrchestrationItem";

export function ackOrchestrationItem(moment: Moment, ack: OrchestrationAck): AckedOrchestration {
  const { tables, nowMs } = moment;
  requireCount(OPERATION, "executionId", ack.executionId, 1);
  const { instanceId } = lockedInstance(moment, OPERATION, ack.lockToken);
  const stored = findExecution(tables, instanceId, ack.executionId)?.events ?? new Map();
  const events = newEvents(OPERATION, ack.executionId, stored, ack.historyDelta);
  const activities = ack.workerItems.map((item) => workerRow(OPERATION, item, nowMs));
  const messages = ack.orchestratorItems.map((item) =>
    orchestratorRow(OPERATION, item, nowMs, dueAtMs(item, nowMs)),
  );
  const returned = (ack.returnedMessages ?? []).map((item) => ({
    ...orchestratorRow(OPERATION, item, nowMs),
    orderAtMs: beforeAll(ack.executionId),
  }));

  tables.instanceLocks.delete(instanceId);
  for (const row of tables.orchestratorQueue) {
    if (row.deliveredTo === ack.lockToken) tables.orchestratorQueue.delete(row);
  }
  const execution = executionOf(moment, instanceId, ack.executionId);
  for (const [id, text] of events) execution.events.set(id, text);
  storeStatus(execution, ack.metadata, nowMs);
  storeInstance(moment, instanceId, ack.metadata);
  storeCustomStatus(moment, instanceId, ack.historyDelta);
  applyKeyValues(moment, instanceId, ack.historyDelta);
  if (ack.metadata.status !== undefined) settleKeyValues(moment, instanceId);
  for (const row of activities) tables.workerQueue.add(row);
  cancelActivities(moment, ack);
  for (const row of [...returned, ...messages]) tables.orchestratorQueue.add(row);
  return {};
}

/** What a later execution returns comes before what an earlier one returned (§7.1). */
function beforeAll(executionId: number): number {
  return -executionId;
}

function dueAtMs(item: OrchestratorItem, nowMs: number): number {
  return item.kind === "TimerFired" ? saturatedNumber(item.fire_at_ms) : nowMs;
}

/** A pin is stored when it is given. A status takes its output with it, also where that is nothing. */
function storeStatus(execution: Execution, metadata: ExecutionMetadata, nowMs: number): void {
  execution.pinnedVersion = metadata.pinnedVersion ?? execution.pinnedVersion;
  if (metadata.status === undefined) return;
  execution.status = metadata.status;
  execution.output = metadata.output ?? null;
  execution.completedAtMs = nowMs;
}

/** An instance comes into being by a commit that has both name and version. Its parent never changes. */
function storeInstance(
  { tables, nowMs }: Moment,
  id: string,
  { orchestrationName: name, orchestrationVersion: version, parentInstanceId: parentId }: ExecutionMetadata,
): void {
  const found = tables.instances.get(id);
  if (found !== undefined) found.updatedAtMs = nowMs;
  if (name === undefined || version === undefined) return;
  if (found !== undefined) {
    found.name = name;
    found.version = version;
  } else {
    const number = ([...tables.instances.values()].at(-1)?.number ?? 0) + 1;
    tables.instances.set(id, { id, number, name, version, parentId, createdAtMs: nowMs, updatedAtMs: nowMs });
  }
}

/** The last change of a commit counts, and all of them count as one. */
function storeCustomStatus({ tables }: Moment, instanceId: string, delta: readonly HistoryEvent[]): void {
  const last = delta.findLast((event) => event.type === "CustomStatusUpdated");
  if (last === undefined) return;
  const version = (tables.customStatuses.get(instanceId)?.version ?? 0) + 1;
  tables.customStatuses.set(instanceId, { status: last.status, version });
}

/** Locked ones too: whoever runs such an activity learns of it when its lock is gone. */
function cancelActivities({ tables }: Moment, { cancelledActivities }: OrchestrationAck): void {
  for (const { instanceId, executionId, activityId } of cancelledActivities) {
    for (const row of tables.workerQueue) {
      const isCancelled =
        row.instanceId === instanceId && row.executionId === executionId && row.activityId === activityId;
      if (isCancelled) tables.workerQueue.delete(row);
    }
  }
}
