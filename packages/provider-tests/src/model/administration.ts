/** Listing and looking (docs/reference/provider-contract.md §15). Times are left to the cases of the catalogue. */
import type {
  ExecutionInfo,
  ExecutionStatus,
  InstanceInfo,
  InstancePage,
  InstanceTree,
  ListInstancesOptions,
  QueueDepths,
  SystemMetrics,
} from "@duroxide-ts/core/stores";
import { allows, Complaint, difference, type Expectation, refuses, returns } from "./expectation.ts";
import { literal } from "./literal.ts";
import {
  currentId,
  currentOf,
  type Identity,
  type Instance,
  instanceOf,
  isHeld,
  type Message,
  type State,
} from "./state.ts";

/** The instances that exist, which those are not that no turn has named. */
export function named(
  state: State,
): readonly (readonly [string, Instance & { readonly identity: Identity }])[] {
  return [...state.instances].flatMap(([id, { identity, ...rest }]) =>
    identity === undefined ? [] : [[id, { ...rest, identity }] as const],
  );
}

export function statusOf(instance: Instance): ExecutionStatus {
  return currentOf(instance)?.status ?? "Running";
}

export function childrenOf(state: State, parentId: string): readonly string[] {
  return named(state)
    .filter(([, { identity }]) => identity.parentId === parentId)
    .map(([id]) => id);
}

/** The instance and its descendants. */
export function treeOf(state: State, rootId: string): readonly string[] {
  return [rootId, ...childrenOf(state, rootId).flatMap((child) => treeOf(state, child))];
}

/** Returns the expected list. Which of two instances is the newer one is left to the cases of the catalogue. */
export function listInstances(state: State, { status }: ListInstancesOptions = {}): Expectation {
  const wanted = named(state).filter(([, instance]) => status === undefined || statusOf(instance) === status);
  const ids = wanted.map(([id]) => id);
  const text = `in some order: ${ids.join(", ")}`;
  return allows<InstancePage>(text, ({ instanceIds, continuation }) => {
    const isWhole = instanceIds.length === ids.length && ids.every((id) => instanceIds.includes(id));
    return isWhole && continuation === undefined ? state : new Complaint(text);
  });
}

export function listExecutions(state: State, id: string): Expectation {
  return returns(
    [...instanceOf(state, id).executions.keys()].sort((a, b) => a - b),
    state,
  );
}

export function latestExecutionId(state: State, id: string): Expectation {
  return returns(Math.max(1, currentId(instanceOf(state, id))), state);
}

export function getInstanceInfo(state: State, id: string): Expectation {
  const instance = instanceOf(state, id);
  const { identity } = instance;
  if (identity === undefined) return refuses("instance-not-found");
  const expected = {
    instanceId: id,
    orchestrationName: identity.name,
    orchestrationVersion: identity.version,
    currentExecutionId: Math.max(1, currentId(instance)),
    status: statusOf(instance),
    output: currentOf(instance)?.output ?? null,
    parentInstanceId: identity.parentId,
  };
  return allows<InstanceInfo>(
    literal(expected),
    ({ createdAtMs: _created, updatedAtMs: _updated, ...info }) => compared(info, expected, state),
  );
}

export function getExecutionInfo(state: State, id: string, executionId: number): Expectation {
  const execution = instanceOf(state, id).executions.get(executionId);
  if (execution === undefined) return refuses("instance-not-found");
  const { status, output, events } = execution;
  const expected = { executionId, status, output, eventCount: events.length, isOver: status !== "Running" };
  return allows<ExecutionInfo>(literal(expected), ({ startedAtMs: _started, completedAtMs, ...info }) =>
    compared({ ...info, isOver: completedAtMs !== undefined }, expected, state),
  );
}

function compared(actual: object, expected: object, state: State): State | Complaint {
  const wrong = difference(actual, expected);
  return wrong === undefined ? state : new Complaint(wrong);
}

export function getSystemMetrics(state: State): Expectation {
  const statuses = named(state).map(([, instance]) => statusOf(instance));
  const count = (status: ExecutionStatus): number => statuses.filter((each) => each === status).length;
  const executions = [...state.instances.values()].flatMap((instance) => [...instance.executions.values()]);
  const metrics = {
    totalInstances: statuses.length,
    totalExecutions: executions.length,
    runningInstances: count("Running"),
    completedInstances: count("Completed"),
    failedInstances: count("Failed"),
    totalEvents: executions.reduce((sum, { events }) => sum + events.length, 0),
  };
  return allows<SystemMetrics>(
    literal(metrics),
    ({ blockedWork: _blocked, deadMessages: _dead, ...actual }) => compared(actual, metrics, state),
  );
}

/** Whether rows that were passed over count depends on whether the store hides or drops them. */
export function getQueueDepths(state: State): Expectation {
  const { nowMs } = state;
  const isFree = ({ instanceId }: Message): boolean => !isHeld(instanceOf(state, instanceId).lock, state);
  const due = state.messages.filter(({ visibleAtMs }) => visibleAtMs <= nowMs).filter(isFree);
  const uncertain = due.filter(({ passedOver }) => passedOver).length;
  const expected = {
    workerQueue: state.activities.filter((row) => row.visibleAtMs <= nowMs && !isHeld(row.lock, state))
      .length,
    timerQueue: state.messages.filter(({ visibleAtMs }) => visibleAtMs > nowMs).length,
  };
  const least = due.length - uncertain;
  const text = `${literal(expected)}, orchestratorQueue: ${least} to ${due.length}`;
  return allows<QueueDepths>(text, ({ orchestratorQueue, workerQueue, timerQueue }) => {
    const isRight = difference(
      { workerQueue, timerQueue: Math.min(timerQueue, expected.timerQueue) },
      expected,
    );
    const inRange = orchestratorQueue >= least && orchestratorQueue <= due.length;
    const hidden = timerQueue - expected.timerQueue;
    return isRight === undefined && inRange && hidden <= uncertain ? state : new Complaint(text);
  });
}

export function listChildren(state: State, id: string): Expectation {
  return allows<readonly string[]>(literal(childrenOf(state, id)), (children) => {
    const expected = childrenOf(state, id);
    return compared([...children].sort(), [...expected].sort(), state);
  });
}

export function getParentId(state: State, id: string): Expectation {
  const { identity } = instanceOf(state, id);
  return identity === undefined ? refuses("instance-not-found") : returns(identity.parentId, state);
}

/** Children before their parents, in any order otherwise. An unknown id is a tree of one. */
export function getInstanceTree(state: State, rootId: string): Expectation {
  const ids = treeOf(state, rootId);
  const text = `children before parents, from ${rootId}: ${ids.join(", ")}`;
  return allows<InstanceTree>(text, (tree) => {
    const isWhole = tree.allIds.length === ids.length && ids.every((id) => tree.allIds.includes(id));
    const isOrdered = tree.allIds.every((id, index) => {
      const parentId = instanceOf(state, id).identity?.parentId;
      return id === rootId || tree.allIds.indexOf(parentId ?? "") > index;
    });
    return isWhole && isOrdered && tree.rootId === rootId ? state : new Complaint(text);
  });
}
