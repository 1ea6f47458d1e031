/** Reads of an instance without a lock (docs/reference/provider-contract.md §9, §13, §14). */
import { encodeEvent, type HistoryEvent, type InstanceStatus } from "@duroxide-ts/core/stores";
import { allows, Complaint, difference, type Expectation, returns } from "./expectation.ts";
import { literal } from "./literal.ts";
import { currentId, currentOf, type Instance, instanceOf, type State } from "./state.ts";
import { liveKv } from "./turn.ts";

export function readHistory(state: State, id: string, executionId?: number): Expectation {
  const instance = instanceOf(state, id);
  return returns(instance.executions.get(executionId ?? currentId(instance))?.events ?? [], state);
}

/** Includes the failure if the store keeps it in addition to the output. */
export function getInstanceStatus(state: State, id: string): Expectation {
  const instance = instanceOf(state, id);
  if (instance.identity === undefined) return returns(undefined, state);
  const execution = currentOf(instance);
  const expected = {
    executionId: Math.max(1, currentId(instance)),
    status: execution?.status ?? "Running",
    output: execution?.output ?? null,
    customStatus: instance.customStatus.status,
    customStatusVersion: instance.customStatus.version,
  };
  return allows<InstanceStatus | undefined>(literal(expected), (status) => {
    if (status === undefined) return new Complaint(literal(expected));
    const failure = status.failure === undefined ? undefined : execution?.failure;
    const wrong = difference(status, failure === undefined ? expected : { ...expected, failure });
    return wrong === undefined ? state : new Complaint(wrong);
  });
}

export function getCustomStatus(state: State, id: string, lastSeenVersion: number): Expectation {
  const { identity, customStatus } = instanceOf(state, id);
  const isNews = identity !== undefined && customStatus.version > lastSeenVersion;
  return returns(isNews ? customStatus : undefined, state);
}

export function getKvValue(state: State, id: string, key: string): Expectation {
  return returns(liveKv(instanceOf(state, id)).get(key)?.value, state);
}

export function getKvAllValues(state: State, id: string): Expectation {
  return returns(valuesOf(instanceOf(state, id)), state);
}

function valuesOf(instance: Instance): ReadonlyMap<string, string> {
  return new Map([...liveKv(instance)].map(([key, { value }]) => [key, value]));
}

export function getInstanceStats(state: State, id: string): Expectation {
  const instance = instanceOf(state, id);
  if (instance.identity === undefined) return returns(undefined, state);
  const events = currentOf(instance)?.events ?? [];
  const values = [...valuesOf(instance).values()];
  const stats = {
    historyEventCount: events.length,
    historySizeBytes: totalBytes(events.map(encodeEvent)),
    queuePendingCount: carriedBy(events[0]),
    kvUserKeyCount: values.length,
    kvTotalValueBytes: totalBytes(values),
  };
  return returns(stats, state);
}

function totalBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function carriedBy(first: HistoryEvent | undefined): number {
  return first?.type === "OrchestrationStarted" ? (first.carry_forward_events?.length ?? 0) : 0;
}
