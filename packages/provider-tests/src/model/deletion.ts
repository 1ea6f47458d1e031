/** Deletion and pruning (docs/reference/provider-contract.md §16). */
import type {
  DeleteOptions,
  DeleteResult,
  InstanceFilter,
  ProviderErrorCode,
  PruneOptions,
} from "@duroxide-ts/core/stores";
import { childrenOf, named, statusOf, treeOf } from "./administration.ts";
import { allows, Complaint, difference, type Expectation, refuses, returns } from "./expectation.ts";
import { literal } from "./literal.ts";
import { currentId, currentOf, instanceOf, type State, withInstance } from "./state.ts";

/** Exactly these, or nothing. */
export function deleteInstancesAtomic(
  state: State,
  ids: readonly string[],
  { force = false }: DeleteOptions = {},
): Expectation {
  const existing = [...new Set(ids)].filter((id) => exists(state, id));
  const reasons: ProviderErrorCode[] = [];
  if (!force && existing.some((id) => isRunning(state, id))) reasons.push("instance-still-running");
  if (existing.some((id) => childrenOf(state, id).some((child) => !ids.includes(child)))) {
    reasons.push("orphaned-child");
  }
  return reasons.length > 0 ? refuses(...reasons) : deletes(state, existing);
}

/** A root with its tree. */
export function deleteInstance(state: State, id: string, { force = false }: DeleteOptions = {}): Expectation {
  const { identity } = instanceOf(state, id);
  if (identity === undefined) return refuses("instance-not-found");
  if (!isRoot(state, id)) return refuses("sub-orchestration");
  const tree = treeOf(state, id);
  if (!force && tree.some((each) => isRunning(state, each))) return refuses("instance-still-running");
  return deletes(state, tree);
}

/** Finished roots, each with its tree, whatever the state of the children. */
export function deleteInstances(state: State, filter: InstanceFilter): Expectation {
  const roots = matching(state, filter).filter((id) => isRoot(state, id) && !isRunning(state, id));
  return deletes(
    state,
    roots.flatMap((id) => treeOf(state, id)),
  );
}

function exists(state: State, id: string): boolean {
  return instanceOf(state, id).identity !== undefined;
}

/** A child whose parent does not exist is one too. */
function isRoot(state: State, id: string): boolean {
  const parentId = instanceOf(state, id).identity?.parentId;
  return parentId === undefined || !exists(state, parentId);
}

function isRunning(state: State, id: string): boolean {
  return statusOf(instanceOf(state, id)) === "Running";
}

function matching(state: State, { instanceIds, completedBeforeMs }: InstanceFilter): readonly string[] {
  return named(state)
    .map(([id]) => id)
    .filter((id) => instanceIds?.includes(id) ?? true)
    .filter((id) => {
      const endedAtMs = currentOf(instanceOf(state, id))?.completedAtMs ?? Number.POSITIVE_INFINITY;
      return completedBeforeMs === undefined || endedAtMs < completedBeforeMs;
    });
}

/** Deletes the instances with all their data; their locks are lost. Sessions are kept. */
function deletes(state: State, ids: readonly string[]): Expectation {
  const isKept = (id: string): boolean => !ids.includes(id);
  const messages = state.messages.filter(({ instanceId }) => isKept(instanceId));
  const activities = state.activities.filter(({ item }) => isKept(item.instance));
  const executions = ids.flatMap((id) => [...instanceOf(state, id).executions.values()]);
  const rows = state.messages.length - messages.length + state.activities.length - activities.length;
  const uncertain = state.messages.filter((row) => row.passedOver && !isKept(row.instanceId)).length;
  const expected = {
    instancesDeleted: ids.length,
    executionsDeleted: executions.length,
    eventsDeleted: executions.reduce((sum, { events }) => sum + events.length, 0),
  };
  const instances = new Map([...state.instances].filter(([id]) => isKept(id)));
  const wanted = `${literal(expected)}, queueMessagesDeleted: ${rows - uncertain} to ${rows}`;
  return allows<DeleteResult>(wanted, ({ queueMessagesDeleted, ...result }) => {
    const inRange = queueMessagesDeleted >= rows - uncertain && queueMessagesDeleted <= rows;
    const isRight = inRange && difference(result, expected) === undefined;
    return isRight ? { ...state, messages, activities, instances } : new Complaint(wanted);
  });
}

export function pruneExecutions(state: State, id: string, options: PruneOptions): Expectation {
  return exists(state, id) ? prunes(state, [id], options) : refuses("instance-not-found");
}

/** Returns what pruning is expected to do to instances of any status. */
export function pruneInstances(state: State, filter: InstanceFilter, options: PruneOptions): Expectation {
  return prunes(state, matching(state, filter), options);
}

/** Never the current execution or a running one; key-value entries and queues stay. */
function prunes(
  state: State,
  ids: readonly string[],
  { keepLast = 1, completedBeforeMs = Number.POSITIVE_INFINITY }: PruneOptions,
): Expectation {
  let next = state;
  let [executionsDeleted, eventsDeleted] = [0, 0];
  for (const id of ids) {
    const instance = instanceOf(state, id);
    const newestFirst = [...instance.executions.keys()].sort((a, b) => b - a);
    const kept = new Set([currentId(instance), ...newestFirst.slice(0, Math.max(1, keepLast))]);
    const pruned = [...instance.executions].filter(
      ([execution, { status, completedAtMs = Number.POSITIVE_INFINITY }]) =>
        !kept.has(execution) && status !== "Running" && completedAtMs < completedBeforeMs,
    );
    const gone = new Set(pruned.map(([execution]) => execution));
    const executions = new Map([...instance.executions].filter(([execution]) => !gone.has(execution)));
    next = withInstance(next, id, { executions });
    executionsDeleted += pruned.length;
    eventsDeleted += pruned.reduce((sum, [, { events }]) => sum + events.length, 0);
  }
  return returns({ instancesProcessed: ids.length, executionsDeleted, eventsDeleted }, next);
}
