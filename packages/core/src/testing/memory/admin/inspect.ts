/** Inspection (docs/reference/provider-contract.md §15). */

import type { ExecutionInfo, QueueDepths, SystemMetrics } from "../../../contract/admin.ts";
import type { InstanceInfo } from "../../../contract/instance-info.ts";
import { listedStatus, type StoredState } from "../../../contract/listed-status.ts";
import { ProviderError } from "../../../contract/provider-error.ts";
import type { ExecutionStatus } from "../../../contract/status.ts";
import { toPositiveId } from "../../../stores/arguments.ts";
import { withoutLargeOutput } from "../../../stores/listed-output.ts";
import { SCHEDULE_ORCHESTRATION, shownTags } from "../../../wire/scheduled.ts";
import { hasTags } from "../../../wire/tags.ts";
import { allBlocked } from "../blocked.ts";
import { heldInstance } from "../limits/instances.ts";
import { isActivityLocked, isInstanceLocked } from "../locks.ts";
import { currentExecution, currentExecutionId, type Execution, type Store } from "../store.ts";

export function statusOf(store: Store, instanceId: string): ExecutionStatus {
  return currentExecution(store, instanceId)?.status ?? "Running";
}

function stateOf(store: Store, instanceId: string): StoredState {
  const {
    status = "Running",
    output = null,
    failure,
    startsAtMs,
  } = currentExecution(store, instanceId) ?? {};
  return { status, output, failure, startsAtMs, limit: heldInstance(store, instanceId) };
}

export function listExecutions(
  store: Store,
  instanceId: string,
  executionId?: number,
): readonly ExecutionInfo[] {
  const executions = store.executions.get(instanceId);
  if (executionId === undefined) {
    const infos = [...(executions ?? [])].map(([id, execution]) => infoOf(id, execution));
    return infos.map(withoutLargeOutput).sort((a, b) => a.executionId - b.executionId);
  }
  toPositiveId("listExecutions", "executionId", executionId);
  const execution = executions?.get(executionId);
  return execution === undefined ? [] : [infoOf(executionId, execution)];
}

function infoOf(
  executionId: number,
  { status, output, startedAtMs, completedAtMs, events }: Execution,
): ExecutionInfo {
  return {
    executionId,
    status,
    output,
    startedAtMs,
    ...(completedAtMs !== undefined && { completedAtMs }),
    eventCount: events.size,
  };
}

export function getInstanceInfo(store: Store, instanceId: string): InstanceInfo {
  const instance = store.instances.get(instanceId);
  if (instance === undefined) throw ProviderError.notFound("getInstanceInfo", instanceId);
  const { name, version, createdAtMs, updatedAtMs, parentInstanceId, tags } = instance;
  const suspended = store.suspended.get(instanceId);
  const shown = shownTags(tags);
  const state = stateOf(store, instanceId);
  const { output, startsAtMs, limit } = state;
  return {
    instanceId,
    orchestrationName: name,
    orchestrationVersion: version,
    currentExecutionId: Math.max(1, currentExecutionId(store, instanceId)),
    status: listedStatus(state, store.clock.now()),
    output,
    createdAtMs,
    updatedAtMs,
    ...(parentInstanceId !== undefined && { parentInstanceId }),
    ...(startsAtMs !== undefined && { startsAtMs }),
    ...(limit !== undefined && { limit }),
    ...(hasTags(shown) && { tags: shown }),
    ...(suspended !== undefined && { suspended }),
  };
}

export function getSystemMetrics(store: Store): SystemMetrics {
  const executions = [...store.executions.values()].flatMap((byId) => [...byId.values()]);
  return {
    totalInstances: shownIds(store).length,
    totalExecutions: executions.length,
    runningInstances: countWithStatus(store, "Running"),
    completedInstances: countWithStatus(store, "Completed"),
    failedInstances: countWithStatus(store, "Failed"),
    totalEvents: executions.reduce((sum, { events }) => sum + events.size, 0),
    blockedWork: allBlocked(store).length,
  };
}

function countWithStatus(store: Store, wanted: ExecutionStatus): number {
  return shownIds(store).filter((id) => statusOf(store, id) === wanted).length;
}

function shownIds({ instances }: Store): readonly string[] {
  return [...instances].flatMap(([id, { name }]) => (name === SCHEDULE_ORCHESTRATION ? [] : [id]));
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
    runningInstances: countWithStatus(store, "Running"),
    blockedWork: allBlocked(store).length,
  };
}
