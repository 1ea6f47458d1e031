/** The contract as code: one rule for each method, from a state and a call to the allowed results. */
import type { Provider, ProviderAdmin } from "@duroxide-ts/core/stores";
import {
  abandonWorkItem,
  ackWorkItem,
  enqueueForWorker,
  fetchWorkItem,
  renewWorkItemLock,
} from "./activities.ts";
import {
  getExecutionInfo,
  getInstanceInfo,
  getInstanceTree,
  getParentId,
  getQueueDepths,
  getSystemMetrics,
  latestExecutionId,
  listChildren,
  listExecutions,
  listInstances,
} from "./administration.ts";
import { getBlocked, listBlocked } from "./blocked.ts";
import {
  deleteInstance,
  deleteInstances,
  deleteInstancesAtomic,
  pruneExecutions,
  pruneInstances,
} from "./deletion.ts";
import type { Expectation } from "./expectation.ts";
import { ackFusedTurn } from "./fused-turn.ts";
import { fetchOrchestrationItem } from "./orchestration-fetch.ts";
import {
  abandonOrchestrationItem,
  enqueueForOrchestrator,
  renewOrchestrationItemLock,
} from "./orchestrator-queue.ts";
import {
  getCustomStatus,
  getInstanceStats,
  getInstanceStatus,
  getKvAllValues,
  getKvValue,
  readHistory,
} from "./reads.ts";
import { cleanupOrphanedSessions, renewSessionLocks } from "./sessions.ts";
import type { State } from "./state.ts";
import { ackOrchestrationItem } from "./turn.ts";

/** The methods in the model; other cases test appending events outside turns, watching, starts and withdrawals. */
type ProviderMethods = Required<
  Omit<
    Provider,
    | "name"
    | "version"
    | "isClosed"
    | "maxFusedActivities"
    | "admin"
    | "appendHistory"
    | "startInstance"
    | "watchInstance"
    | "changedInstances"
    | "hasBegun"
    | typeof Symbol.asyncDispose
  >
>;

/**
 * Methods of administration without the queries and the changes of operators, which have cases of their own, and
 * without the part of `getSystemMetrics` that gauges poll.
 */
type AdminMethods = Omit<
  ProviderAdmin,
  | "queryInstances"
  | "countInstances"
  | "listWork"
  | "listDeadLetters"
  | "requeueDeadLetter"
  | "dropDeadLetter"
  | "listWorkers"
  | "reportWorker"
  | "removeWorker"
  | "reviseInstance"
  | "getRunningMetrics"
>;

export type Methods = ProviderMethods & AdminMethods;

export type Method = keyof Methods;

/** The expectation for a call in a state. Rules are pure. */
export type Rule<M extends Method> = (state: State, ...args: Parameters<Methods[M]>) => Expectation;

const providerRules: { readonly [M in keyof ProviderMethods]: Rule<M> } = {
  abandonOrchestrationItem,
  abandonWorkItem,
  ackFusedTurn,
  ackOrchestrationItem,
  ackWorkItem,
  cleanupOrphanedSessions,
  enqueueForOrchestrator,
  enqueueForWorker,
  fetchOrchestrationItem,
  fetchWorkItem,
  getBlocked,
  getCustomStatus,
  getInstanceStats,
  getInstanceStatus,
  getKvAllValues,
  getKvValue,
  readHistory,
  renewOrchestrationItemLock,
  renewSessionLocks,
  renewWorkItemLock,
};

const adminRules: { readonly [M in keyof AdminMethods]: Rule<M> } = {
  deleteInstance,
  deleteInstances,
  deleteInstancesAtomic,
  getExecutionInfo,
  getInstanceInfo,
  getInstanceTree,
  getParentId,
  getQueueDepths,
  getSystemMetrics,
  latestExecutionId,
  listBlocked,
  listChildren,
  listExecutions,
  listInstances,
  pruneExecutions,
  pruneInstances,
};

const rules = { ...providerRules, ...adminRules };

/** The results that the contract allows for a call of the method. */
export function expectationOf(state: State, method: Method, args: readonly unknown[]): Expectation {
  return Reflect.apply(rules[method], undefined, [state, ...args]);
}

/** Whether the method is one of `provider.admin`. */
export function isAdministrative(method: Method): boolean {
  return method in adminRules;
}
