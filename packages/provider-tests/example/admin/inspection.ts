/** Reads for administrators (§15). */
import {
  type ExecutionInfo,
  type ExecutionStatus,
  type InstanceInfo,
  type InstancePage,
  type ListInstancesOptions,
  ProviderError,
  type QueueDepths,
  type SystemMetrics,
} from "@duroxide-ts/core";
import { checkListInstances } from "@duroxide-ts/core/stores";
import { requireCount } from "../input.ts";
import { currentExecution, findExecution } from "../operations/history.ts";
import { type Instance, isValid, type Moment, type Tables } from "../tables.ts";
import { childrenOf } from "./family.ts";

/** Newest first; a page begins below the number at which the page before has ended. */
export function listInstances({ tables }: Moment, options: ListInstancesOptions): InstancePage {
  checkListInstances("listInstances", options);
  const { status, limit = 100, continuation } = options;
  const below = continuation === undefined ? Number.POSITIVE_INFINITY : numberIn(continuation);
  const all = [...tables.instances.values()]
    .reverse()
    .filter(({ id, number }) => number < below && (status === undefined || statusOf(tables, id) === status));
  const page = all.slice(0, limit);
  const last = page.at(-1);
  const instanceIds = page.map(({ id }) => id);
  return last === undefined || all.length <= limit
    ? { instanceIds }
    : { instanceIds, continuation: String(last.number) };
}

function numberIn(continuation: string): number {
  requireCount("listInstances", "the continuation", Number(continuation), 1);
  return Number(continuation);
}

export function listExecutions({ tables }: Moment, instanceId: string): readonly number[] {
  return (tables.executions.get(instanceId) ?? []).map(({ id }) => id);
}

export function latestExecutionId({ tables }: Moment, instanceId: string): number {
  return currentExecution(tables, instanceId)?.id ?? 1;
}

export function getInstanceInfo({ tables }: Moment, instanceId: string): InstanceInfo {
  const instance = mustFind(tables, "getInstanceInfo", instanceId);
  const { name, version, parentId, createdAtMs, updatedAtMs } = instance;
  const current = currentExecution(tables, instanceId);
  return {
    instanceId,
    orchestrationName: name,
    orchestrationVersion: version,
    currentExecutionId: current?.id ?? 1,
    status: current?.status ?? "Running",
    output: current?.output ?? null,
    createdAtMs,
    updatedAtMs,
    ...(parentId === undefined ? {} : { parentInstanceId: parentId }),
  };
}

export function getExecutionInfo({ tables }: Moment, instanceId: string, executionId: number): ExecutionInfo {
  const execution = findExecution(tables, instanceId, executionId);
  if (execution === undefined) throw ProviderError.notFound("getExecutionInfo", instanceId, executionId);
  const { status, output, startedAtMs, completedAtMs, events } = execution;
  return {
    executionId,
    status,
    output,
    startedAtMs,
    eventCount: events.size,
    ...(completedAtMs === undefined ? {} : { completedAtMs }),
  };
}

export function getSystemMetrics({ tables }: Moment): SystemMetrics {
  const executions = [...tables.executions.values()].flat();
  const statuses = [...tables.instances.keys()].map((id) => statusOf(tables, id));
  const count = (wanted: ExecutionStatus): number => statuses.filter((status) => status === wanted).length;
  return {
    totalInstances: statuses.length,
    totalExecutions: executions.length,
    runningInstances: count("Running"),
    completedInstances: count("Completed"),
    failedInstances: count("Failed"),
    totalEvents: executions.reduce((sum, { events }) => sum + events.size, 0),
  };
}

export function getQueueDepths({ tables, nowMs }: Moment): QueueDepths {
  const messages = [...tables.orchestratorQueue];
  const visible = messages.filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
  const free = visible.filter(({ instanceId }) => !isValid(tables.instanceLocks.get(instanceId), nowMs));
  const activities = [...tables.workerQueue].filter(
    ({ visibleAtMs, lock }) => visibleAtMs <= nowMs && !isValid(lock, nowMs),
  );
  return {
    orchestratorQueue: free.length,
    workerQueue: activities.length,
    timerQueue: messages.length - visible.length,
  };
}

export function listChildren({ tables }: Moment, instanceId: string): readonly string[] {
  return childrenOf(tables, instanceId);
}

export function getParentId({ tables }: Moment, instanceId: string): string | undefined {
  return mustFind(tables, "getParentId", instanceId).parentId;
}

function statusOf(tables: Tables, instanceId: string): ExecutionStatus {
  return currentExecution(tables, instanceId)?.status ?? "Running";
}

function mustFind({ instances }: Tables, operation: string, instanceId: string): Instance {
  const found = instances.get(instanceId);
  if (found === undefined) throw ProviderError.notFound(operation, instanceId);
  return found;
}
