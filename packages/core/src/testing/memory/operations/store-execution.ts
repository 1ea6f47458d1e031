/** Stores the metadata of a turn for its instance and execution (docs/reference/provider-contract.md §7). */

import type { TurnContent } from "../../../contract/provider.ts";
import { hasEnded } from "../../../contract/status.ts";
import { onlyDiscards } from "../../../stores/ended-instance.ts";
import { saturatedNumber } from "../../../wire/integer.ts";
import { endPermits } from "../limits/instances.ts";
import { currentExecution, ensureExecution, type Store } from "../store.ts";

/** Creates the instance if the ack has both name and version; its parent never changes. */
export function storeInstance(store: Store, instanceId: string, content: TurnContent, nowMs: number): void {
  const { orchestrationName: name, orchestrationVersion: version, parentInstanceId, tags } = content.metadata;
  const known = store.instances.get(instanceId);
  const status = currentExecution(store, instanceId)?.status;
  if (known !== undefined && !onlyDiscards(status, content.historyDelta, content.metadata))
    known.updatedAtMs = nowMs;
  if (known !== undefined && tags !== undefined) known.tags = { ...tags };
  if (name === undefined || version === undefined) return;
  if (known !== undefined) {
    known.name = name;
    known.version = version;
    return;
  }
  const number = ++store.instancesCreated;
  const created = {
    name,
    version,
    parentInstanceId,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    tags: { ...tags },
    number,
  };
  store.instances.set(instanceId, created);
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
  const started = historyDelta.find((event) => event.type === "OrchestrationStarted");
  if (started?.start_at_ms !== undefined) execution.startsAtMs = saturatedNumber(started.start_at_ms);
  if (metadata.pinnedVersion !== undefined) execution.pinnedVersion = metadata.pinnedVersion;
  if (metadata.status === undefined) return;
  if (hasEnded(metadata.status)) endPermits(store, instanceId);
  execution.status = metadata.status;
  execution.output = metadata.output ?? null;
  execution.completedAtMs = nowMs;
  const failed = historyDelta.findLast((event) => event.type === "OrchestrationFailed");
  execution.failure = failed?.details;
}
