/** Listing and inspection (docs/reference/provider-contract.md §15). */
import type {
  ExecutionInfo,
  InstancePage,
  ListInstancesOptions,
  QueueDepths,
  SystemMetrics,
} from "../../../contract/admin.ts";
import { checkListInstances } from "../../../contract/admin-arguments.ts";
import type { InstanceInfo } from "../../../contract/instance-info.ts";
import { ProviderError } from "../../../contract/provider-error.ts";
import { DEFAULT_PAGE } from "../../../contract/query-arguments.ts";
import type { ExecutionStatus } from "../../../contract/status.ts";
import { toPositiveId } from "../../../stores/arguments.ts";
import { continuationOf, positionOf } from "../../../stores/continuation.ts";
import { allBlocked } from "../blocked.ts";
import { isActivityLocked, isInstanceLocked } from "../locks.ts";
import { currentExecution, currentExecutionId, type Store } from "../store.ts";

const LIST = { list: "listInstances" };
const LAST = Number.MAX_SAFE_INTEGER;

/** Newest first. A page is continued below the number of its last instance. */
export function listInstances(store: Store, options: ListInstancesOptions = {}): InstancePage {
  checkListInstances("listInstances", options);
  const { status, limit = DEFAULT_PAGE, continuation } = options;
  const [last = LAST] =
    positionOf(LIST.list, LIST, continuation, ([number]) => typeof number === "number") ?? [];
  const below = Number(last);
  const matching = [...store.instances]
    .filter(([id, { number }]) => number < below && (status ?? statusOf(store, id)) === statusOf(store, id))
    .reverse();
  const page = matching.slice(0, limit);
  const instanceIds = page.map(([id]) => id);
  const end = page.at(-1)?.[1];
  if (matching.length <= limit || end === undefined) return { instanceIds };
  return { instanceIds, continuation: continuationOf(LIST, [end.number]) };
}

export function statusOf(store: Store, instanceId: string): ExecutionStatus {
  return currentExecution(store, instanceId)?.status ?? "Running";
}

export function listExecutions(store: Store, instanceId: string): readonly number[] {
  return [...(store.executions.get(instanceId)?.keys() ?? [])].sort((a, b) => a - b);
}

export function latestExecutionId(store: Store, instanceId: string): number {
  return Math.max(1, currentExecutionId(store, instanceId));
}

export function getInstanceInfo(store: Store, instanceId: string): InstanceInfo {
  const instance = store.instances.get(instanceId);
  if (instance === undefined) throw ProviderError.notFound("getInstanceInfo", instanceId);
  const { name, version, createdAtMs, updatedAtMs, parentInstanceId } = instance;
  const suspended = store.suspended.get(instanceId);
  return {
    instanceId,
    orchestrationName: name,
    orchestrationVersion: version,
    currentExecutionId: latestExecutionId(store, instanceId),
    status: statusOf(store, instanceId),
    output: currentExecution(store, instanceId)?.output ?? null,
    createdAtMs,
    updatedAtMs,
    ...(parentInstanceId !== undefined && { parentInstanceId }),
    ...(suspended !== undefined && { suspended }),
  };
}

export function getExecutionInfo(store: Store, instanceId: string, executionId: number): ExecutionInfo {
  toPositiveId("getExecutionInfo", "executionId", executionId);
  const execution = store.executions.get(instanceId)?.get(executionId);
  if (execution === undefined) throw ProviderError.notFound("getExecutionInfo", instanceId, executionId);
  const { status, output, startedAtMs, completedAtMs, events } = execution;
  return {
    executionId,
    status,
    output,
    startedAtMs,
    ...(completedAtMs !== undefined && { completedAtMs }),
    eventCount: events.size,
  };
}

export function getSystemMetrics(store: Store): SystemMetrics {
  const executions = [...store.executions.values()].flatMap((byId) => [...byId.values()]);
  const statuses = [...store.instances.keys()].map((id) => statusOf(store, id));
  const count = (wanted: ExecutionStatus): number => statuses.filter((status) => status === wanted).length;
  return {
    totalInstances: statuses.length,
    totalExecutions: executions.length,
    runningInstances: count("Running"),
    completedInstances: count("Completed"),
    failedInstances: count("Failed"),
    totalEvents: executions.reduce((sum, { events }) => sum + events.size, 0),
    blockedWork: allBlocked(store).length,
  };
}

/** Rows that are visible and not locked; messages that become visible later count as timers. */
export function getQueueDepths(store: Store): QueueDepths {
  const nowMs = store.clock.now();
  const visible = store.messages.filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
  return {
    orchestratorQueue: visible.filter(({ instanceId }) => !isInstanceLocked(store, instanceId, nowMs)).length,
    workerQueue: store.activities.filter((row) => row.visibleAtMs <= nowMs && !isActivityLocked(row, nowMs))
      .length,
    timerQueue: store.messages.length - visible.length,
  };
}
