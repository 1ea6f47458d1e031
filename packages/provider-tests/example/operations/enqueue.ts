/** New rows at the ends of the two queues, for clients and for commits. */
import {
  type ActivityExecute,
  type OrchestratorItem,
  saturatedNumber,
  targetInstance,
  type WorkItem,
} from "@duroxide-ts/core";
import { invalidInput, requireDurations } from "../input.ts";
import type { Moment, OrchestratorRow, WorkerRow } from "../tables.ts";
import { workItemText } from "../texts.ts";

export function enqueueForOrchestrator(
  { tables, nowMs }: Moment,
  item: OrchestratorItem,
  delayMs: number,
): void {
  requireDurations("enqueueForOrchestrator", { delayMs });
  tables.orchestratorQueue.add(orchestratorRow("enqueueForOrchestrator", item, nowMs, nowMs + delayMs));
}

export function enqueueForWorker({ tables, nowMs }: Moment, item: ActivityExecute): void {
  tables.workerQueue.add(workerRow("enqueueForWorker", item, nowMs));
}

/** A timer has its place by the time that it names, everything else by the time at which it came (§4.1). */
export function orchestratorRow(
  operation: string,
  item: OrchestratorItem,
  nowMs: number,
  visibleAtMs = nowMs,
): OrchestratorRow {
  if (isActivity(item)) throw invalidInput(operation, "an activity belongs into the worker queue");
  const text = workItemText(operation, item);
  const orderAtMs = item.kind === "TimerFired" ? saturatedNumber(item.fire_at_ms) : nowMs;
  return {
    instanceId: targetInstance(item),
    text,
    orderAtMs,
    visibleAtMs,
    attempts: 0,
    deliveredTo: undefined,
  };
}

/** What is asked for by a tag, a session or a cancellation is stored beside the text, where it can be found. */
export function workerRow(operation: string, item: ActivityExecute, visibleAtMs: number): WorkerRow {
  if (!isActivity(item)) throw invalidInput(operation, "only activities belong into the worker queue");
  return {
    instanceId: item.instance,
    executionId: saturatedNumber(item.execution_id),
    activityId: saturatedNumber(item.id),
    sessionId: item.session_id,
    tag: item.tag,
    text: workItemText(operation, item),
    visibleAtMs,
    attempts: 0,
    lock: undefined,
  };
}

/** A caller without types may pass anything. */
function isActivity(item: WorkItem): boolean {
  return item.kind === "ActivityExecute";
}
