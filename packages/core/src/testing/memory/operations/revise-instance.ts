/** Changes an instance by hand (docs/reference/provider-contract.md §15.2). All checks come before the first write. */
import { ProviderError } from "../../../contract/provider-error.ts";
import type { ExpectedState, InstanceRevision, RevisionOutcome } from "../../../contract/revision.ts";
import { checkRevision } from "../../../stores/arguments.ts";
import { statusOf } from "../admin/inspect.ts";
import { currentExecution, currentExecutionId, type Store } from "../store.ts";
import { prepareTurn, refuseTurn, storeTurn } from "./store-turn.ts";

const OPERATION = "reviseInstance";

export function reviseInstance(store: Store, revision: InstanceRevision): RevisionOutcome {
  checkRevision(OPERATION, revision);
  const { instanceId, expected, turn, keyValues, suspended } = revision;
  const nowMs = store.clock.now();
  const prepared = turn && prepareTurn(OPERATION, turn, nowMs);
  const exists = store.instances.has(instanceId);
  if (expected === "absent") {
    if (exists) return { kind: "overtaken" };
  } else {
    if (!exists) throw ProviderError.notFound(OPERATION, instanceId);
    if (!isAsExpected(store, instanceId, expected)) return { kind: "overtaken" };
  }
  if (prepared !== undefined) refuseTurn(store, OPERATION, instanceId, prepared);
  if (keyValues !== undefined) {
    store.kv.set(instanceId, { finished: new Map(keyValues), current: new Map() });
  }
  if (prepared !== undefined) storeTurn(store, instanceId, store.random.uuid(), prepared);
  if (suspended === null) store.suspended.delete(instanceId);
  else if (suspended !== undefined) store.suspended.set(instanceId, { ...suspended });
  return { kind: "revised" };
}

function isAsExpected(
  store: Store,
  instanceId: string,
  { executionId, status, lastEventId }: ExpectedState,
): boolean {
  if (Math.max(1, currentExecutionId(store, instanceId)) !== executionId) return false;
  if (statusOf(store, instanceId) !== status) return false;
  const ids = currentExecution(store, instanceId)?.events.keys() ?? [];
  return lastEventId === undefined || Math.max(0, ...ids) === lastEventId;
}
