/** Reads of an instance for clients, without a lock (docs/reference/provider-contract.md §14). */
import type { CustomStatus, InstanceStats, InstanceStatus } from "../../../contract/provider.ts";
import { utf8Bytes } from "../../../define/limits.ts";
import { checkSeenVersion } from "../../../stores/arguments.ts";
import { corruptData, readEvents } from "../codec.ts";
import { currentExecution, currentExecutionId, type Execution, type Store } from "../store.ts";
import { mergedKv } from "./store-kv.ts";

export function getInstanceStatus(store: Store, instanceId: string): InstanceStatus | undefined {
  if (!store.instances.has(instanceId)) return undefined;
  const execution = currentExecution(store, instanceId);
  const custom = store.customStatuses.get(instanceId);
  return {
    executionId: Math.max(1, currentExecutionId(store, instanceId)),
    status: execution?.status ?? "Running",
    output: execution?.output ?? null,
    ...(execution?.failure !== undefined && { failure: execution.failure }),
    customStatus: custom?.status ?? null,
    customStatusVersion: custom?.version ?? 0,
  };
}

export function getCustomStatus(
  store: Store,
  instanceId: string,
  lastSeenVersion: number,
): CustomStatus | undefined {
  checkSeenVersion("getCustomStatus", lastSeenVersion);
  const custom = store.customStatuses.get(instanceId);
  const isNews = store.instances.has(instanceId) && custom !== undefined && custom.version > lastSeenVersion;
  return isNews ? { ...custom } : undefined;
}

export function getInstanceStats(store: Store, instanceId: string): InstanceStats | undefined {
  if (!store.instances.has(instanceId)) return undefined;
  const execution = currentExecution(store, instanceId);
  const values = [...mergedKv(store, instanceId).values()];
  return {
    historyEventCount: execution?.events.size ?? 0,
    historySizeBytes: totalBytes(execution?.events.values() ?? []),
    queuePendingCount: carriedMessages(execution),
    kvUserKeyCount: values.length,
    kvTotalValueBytes: totalBytes(values),
  };
}

function totalBytes(texts: Iterable<string>): number {
  let bytes = 0;
  for (const text of texts) bytes += utf8Bytes(text);
  return bytes;
}

/** Queue messages that the execution inherited. */
function carriedMessages(execution: Execution | undefined): number {
  try {
    const [first] = readEvents(execution);
    return first?.type === "OrchestrationStarted" ? (first.carry_forward_events?.length ?? 0) : 0;
  } catch (error) {
    throw corruptData("getInstanceStats", error);
  }
}
