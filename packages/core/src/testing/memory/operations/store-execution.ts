/** Stores the metadata of a turn for its instance and execution (docs/reference/provider-contract.md §7). */
import type { TurnContent } from "../../../contract/provider.ts";
import { currentExecution, ensureExecution, type Store } from "../store.ts";

/** Creates the instance if the ack has both name and version; its parent never changes. */
export function storeInstance(store: Store, instanceId: string, content: TurnContent, nowMs: number): void {
  const { orchestrationName: name, orchestrationVersion: version, parentInstanceId } = content.metadata;
  const known = store.instances.get(instanceId);
  if (known !== undefined && !isDiscarded(store, instanceId, content)) known.updatedAtMs = nowMs;
  if (name === undefined || version === undefined) return;
  if (known !== undefined) {
    known.name = name;
    known.version = version;
    return;
  }
  const number = ++store.instancesCreated;
  const created = { name, version, parentInstanceId, createdAtMs: nowMs, updatedAtMs: nowMs, number };
  store.instances.set(instanceId, created);
}

/** Whether the instance has ended and the turn only takes messages (docs/reference/provider-contract.md §7, step 13). */
function isDiscarded(store: Store, instanceId: string, { historyDelta, metadata }: TurnContent): boolean {
  const status = currentExecution(store, instanceId)?.status;
  const hasEnded = status === "Completed" || status === "Failed";
  return (
    hasEnded && historyDelta.length === 0 && Object.values(metadata).every((value) => value === undefined)
  );
}

/** Status and output belong to the execution; a new execution is running, whatever the status of the last. */
export function storeExecution(
  store: Store,
  instanceId: string,
  executionId: number,
  { metadata, historyDelta }: TurnContent,
  nowMs: number,
): void {
  const execution = ensureExecution(store, instanceId, executionId, nowMs);
  if (metadata.pinnedVersion !== undefined) execution.pinnedVersion = metadata.pinnedVersion;
  if (metadata.status === undefined) return;
  execution.status = metadata.status;
  execution.output = metadata.output ?? null;
  execution.completedAtMs = nowMs;
  const failed = historyDelta.findLast((event) => event.type === "OrchestrationFailed");
  execution.failure = failed?.details;
}
