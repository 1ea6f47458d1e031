/** New rows at the ends of the two queues, for clients and for commits. */
import {
  type ActivityExecute,
  type EnqueueOptions,
  type OrchestratorItem,
  saturatedNumber,
  targetInstance,
  type WorkItem,
} from "@duroxide-ts/core";
import { toMessageId } from "@duroxide-ts/core/stores";
import { invalidInput, requireDurations } from "../input.ts";
import type { Moment, OrchestratorRow, Tables, WorkerRow } from "../tables.ts";
import { workItemText } from "../texts.ts";

export function enqueueForOrchestrator(
  { tables, nowMs }: Moment,
  item: OrchestratorItem,
  delayMs: number,
  options: EnqueueOptions | undefined,
): void {
  requireDurations("enqueueForOrchestrator", { delayMs });
  const messageId = toMessageId("enqueueForOrchestrator", options);
  const row = orchestratorRow("enqueueForOrchestrator", item, nowMs, nowMs + delayMs);
  if (messageId !== undefined && !remember(tables, row.instanceId, messageId, nowMs)) return;
  tables.orchestratorQueue.add(row);
}

const A_DAY_MS = 86_400_000;

/** False where a message of this id came within the last day, also where it was read already. */
function remember({ messageIds }: Tables, instanceId: string, messageId: string, nowMs: number): boolean {
  const ids = messageIds.get(instanceId) ?? new Map<string, number>();
  messageIds.set(instanceId, ids);
  for (const [id, sentAtMs] of ids) if (sentAtMs + A_DAY_MS <= nowMs) ids.delete(id);
  if (ids.has(messageId)) return false;
  ids.set(messageId, nowMs);
  return true;
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
    parentId: item.kind === "StartOrchestration" ? (item.parent_instance ?? undefined) : undefined,
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
