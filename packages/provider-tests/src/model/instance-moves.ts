/** Random reads, deletions and prunings. */
import type { ExecutionStatus } from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import { type Call, type CallerName, callOf } from "./call.ts";
import { aCaller, anInstance, INSTANCES } from "./choices.ts";
import type { Durations } from "./durations.ts";
import type { CallMove, Situation } from "./situation.ts";

/** Everything that can be read about an instance. */
export function readsOf(caller: CallerName, id: string): readonly Call[] {
  return [
    callOf(caller, "getInstanceStatus", id),
    callOf(caller, "getKvValues", id, "k1"),
    callOf(caller, "getKvValues", id),
    callOf(caller, "getInstanceStats", id),
    callOf(caller, "readHistory", id),
    callOf(caller, "readHistory", id, 1),
    callOf(caller, "listBlocked", { instanceId: id }),
    callOf(caller, "listExecutions", id),
    callOf(caller, "listExecutions", id, 2),
    callOf(caller, "getInstanceInfo", id),
    callOf(caller, "queryInstances", { filter: { parentId: id } }),
  ];
}

/** Everything that can be read about the store. */
export function readsOfStore(caller: CallerName): readonly Call[] {
  const statuses: readonly ExecutionStatus[] = ["Running", "Completed", "Failed", "ContinuedAsNew"];
  return [
    callOf(caller, "queryInstances"),
    ...statuses.map((status) => callOf(caller, "queryInstances", { filter: { status: [status] } })),
    callOf(caller, "queryInstances", { filter: { tags: { t: 1 } } }),
    callOf(caller, "queryInstances", { filter: { tags: { t: "1", u: true } } }),
    callOf(caller, "getSystemMetrics"),
    callOf(caller, "getQueueDepths"),
    callOf(caller, "listBlocked"),
  ];
}

export function readMove(): Arbitrary<CallMove> {
  return fc.tuple(aCaller, anInstance, fc.nat(1_000)).map(([caller, id, pick]) => () => {
    const all = readsOf(caller, id);
    return all[pick % all.length];
  });
}

export function readStoreMove(): Arbitrary<CallMove> {
  return fc.tuple(aCaller, fc.nat(1_000)).map(([caller, pick]) => () => {
    const all = readsOfStore(caller);
    return all[pick % all.length];
  });
}

/** Lists name only instances that exist: the contract does not say what becomes of an id that has nothing but rows. */
export function deleteMove(durations: Durations): Arbitrary<CallMove> {
  const choice = fc.record({
    caller: aCaller,
    isBulk: fc.boolean(),
    ids: fc.uniqueArray(anInstance, { minLength: 1 }),
    force: fc.boolean(),
    agoMs: anAgo(durations),
  });
  return choice.map(({ caller, isBulk, ids, force, agoMs }) => (situation) => {
    const [id = ""] = ids;
    if (!isBulk) {
      const options = force ? [{ force }] : [];
      return isBetweenExecutions(situation, id)
        ? undefined
        : callOf(caller, "deleteInstance", id, ...options);
    }
    const chosen = ids.filter((each) => isWhole(situation, each));
    return callOf(caller, "deleteInstances", { instanceIds: chosen, ...completedBefore(situation, agoMs) });
  });
}

/** How long ago something may have ended. In real time the store's clock is not known well enough to ask. */
function anAgo({ passes }: Durations): Arbitrary<number | undefined> {
  return passes.length === 0
    ? fc.constant(undefined)
    : fc.option(fc.constantFrom(0, ...passes), { nil: undefined });
}

function completedBefore(
  situation: Situation,
  agoMs: number | undefined,
): { readonly completedBeforeMs?: number } {
  return agoMs === undefined ? {} : { completedBeforeMs: situation.instant(-agoMs) };
}

/** The contract leaves open whether it may be deleted then without force. */
function isBetweenExecutions(situation: Situation, id: string): boolean {
  const isBetween = situation.statusOf(id, situation.currentExecution(id)) === "ContinuedAsNew";
  const children = situation.childrenOf(id);
  return (
    (situation.exists(id) && isBetween) || children.some((child) => isBetweenExecutions(situation, child))
  );
}

function isWhole(situation: Situation, id: string): boolean {
  return situation.exists(id) && !isBetweenExecutions(situation, id);
}

export function pruneMove(durations: Durations): Arbitrary<CallMove> {
  const choice = fc.record({
    caller: aCaller,
    ids: fc.uniqueArray(fc.constantFrom(...INSTANCES), { minLength: 1 }),
    keepLast: fc.option(fc.nat(2), { nil: undefined }),
    agoMs: anAgo(durations),
  });
  return choice.map(({ caller, ids, keepLast, agoMs }) => (situation) => {
    const options = { ...completedBefore(situation, agoMs), ...(keepLast !== undefined && { keepLast }) };
    return callOf(caller, "pruneInstances", { instanceIds: ids }, options);
  });
}
