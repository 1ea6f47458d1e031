/** Random reads, deletions and prunings. */
import type { ExecutionStatus } from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import { type Call, type CallerName, callOf } from "./call.ts";
import { aCaller, anInstance, INSTANCES } from "./choices.ts";
import type { Durations } from "./durations.ts";
import type { CallMove, Situation } from "./situation.ts";

type StoreFeatures = Pick<Situation, "hasAdmin" | "keepsBlocked">;

/** Everything that can be read about an instance. */
export function readsOf(
  caller: CallerName,
  id: string,
  { hasAdmin, keepsBlocked }: StoreFeatures,
): readonly Call[] {
  const reads = [
    callOf(caller, "getInstanceStatus", id),
    callOf(caller, "getCustomStatus", id, 0),
    callOf(caller, "getCustomStatus", id, 1),
    callOf(caller, "getKvValue", id, "k1"),
    callOf(caller, "getKvAllValues", id),
    callOf(caller, "getInstanceStats", id),
    callOf(caller, "readHistory", id),
    callOf(caller, "readHistory", id, 1),
    ...(keepsBlocked ? [callOf(caller, "getBlocked", id)] : []),
  ];
  const adminReads = [
    callOf(caller, "listExecutions", id),
    callOf(caller, "latestExecutionId", id),
    callOf(caller, "getInstanceInfo", id),
    callOf(caller, "getExecutionInfo", id, 1),
    callOf(caller, "getExecutionInfo", id, 2),
    callOf(caller, "listChildren", id),
    callOf(caller, "getParentId", id),
    callOf(caller, "getInstanceTree", id),
  ];
  return hasAdmin ? [...reads, ...adminReads] : reads;
}

/** Everything that can be read about the store. */
export function readsOfStore(caller: CallerName, { keepsBlocked }: StoreFeatures): readonly Call[] {
  const statuses: readonly ExecutionStatus[] = ["Running", "Completed", "Failed", "ContinuedAsNew"];
  return [
    callOf(caller, "listInstances"),
    ...statuses.map((status) => callOf(caller, "listInstances", { status })),
    callOf(caller, "getSystemMetrics"),
    callOf(caller, "getQueueDepths"),
    ...(keepsBlocked ? [callOf(caller, "listBlocked")] : []),
  ];
}

export function readMove(): Arbitrary<CallMove> {
  return fc.tuple(aCaller, anInstance, fc.nat(1_000)).map(([caller, id, pick]) => (situation) => {
    const all = readsOf(caller, id, situation);
    return all[pick % all.length];
  });
}

export function readStoreMove(): Arbitrary<CallMove> {
  return fc.tuple(aCaller, fc.nat(1_000)).map(([caller, pick]) => (situation) => {
    const all = situation.hasAdmin ? readsOfStore(caller, situation) : [];
    return all[pick % all.length];
  });
}

/** Lists name only instances that exist: the contract does not say what becomes of an id that has nothing but rows. */
export function deleteMove(durations: Durations): Arbitrary<CallMove> {
  const choice = fc.record({
    caller: aCaller,
    method: fc.constantFrom("atomic" as const, "one" as const, "bulk" as const),
    ids: fc.uniqueArray(anInstance, { minLength: 1 }),
    force: fc.boolean(),
    agoMs: anAgo(durations),
  });
  return choice.map(({ caller, method, ids, force, agoMs }) => (situation) => {
    const [id = ""] = ids;
    const options = force ? [{ force }] : [];
    if (!situation.hasAdmin) return undefined;
    if (method === "one") {
      return isBetweenExecutions(situation, id)
        ? undefined
        : callOf(caller, "deleteInstance", id, ...options);
    }
    const chosen = ids.filter((each) => isWhole(situation, each));
    if (method === "atomic") return callOf(caller, "deleteInstancesAtomic", chosen, ...options);
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
    isBulk: fc.boolean(),
    ids: fc.uniqueArray(fc.constantFrom(...INSTANCES), { minLength: 1 }),
    keepLast: fc.option(fc.nat(2), { nil: undefined }),
    agoMs: anAgo(durations),
  });
  return choice.map(({ caller, isBulk, ids, keepLast, agoMs }) => (situation) => {
    const [id = ""] = ids;
    const options = { ...completedBefore(situation, agoMs), ...(keepLast !== undefined && { keepLast }) };
    if (!situation.hasAdmin) return undefined;
    return isBulk
      ? callOf(caller, "pruneInstances", { instanceIds: ids }, options)
      : callOf(caller, "pruneExecutions", id, options);
  });
}
