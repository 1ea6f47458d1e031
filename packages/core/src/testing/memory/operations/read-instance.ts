/** Reads of an instance for clients, without a lock (docs/reference/provider-contract.md §14). */
import type { InstanceStats, InstanceStatus } from "../../../contract/provider.ts";
import { carriedMessages } from "../../../stores/decode-stored.ts";
import { isAnswerKey } from "../../../wire/question.ts";
import { utf8Bytes } from "../../../wire/utf8.ts";
import { heldInstance } from "../limits/instances.ts";
import { currentExecution, currentExecutionId, type Store } from "../store.ts";
import { mergedKv } from "./store-kv.ts";

export function getInstanceStatus(store: Store, instanceId: string): InstanceStatus | undefined {
  if (!store.instances.has(instanceId)) return undefined;
  const execution = currentExecution(store, instanceId);
  const custom = store.customStatuses.get(instanceId);
  const limit = heldInstance(store, instanceId);
  return {
    executionId: Math.max(1, currentExecutionId(store, instanceId)),
    status: execution?.status ?? "Running",
    output: execution?.output ?? null,
    ...(execution?.failure !== undefined && { failure: execution.failure }),
    ...(execution?.startsAtMs !== undefined && { startsAtMs: execution.startsAtMs }),
    ...(limit !== undefined && { limit }),
    customStatus: custom?.status ?? null,
    customStatusVersion: custom?.version ?? 0,
  };
}

export function getInstanceStats(store: Store, instanceId: string): InstanceStats | undefined {
  if (!store.instances.has(instanceId)) return undefined;
  const execution = currentExecution(store, instanceId);
  const first = execution?.events.get(1);
  const entries = [...mergedKv(store, instanceId)].filter(([key]) => !isAnswerKey(key));
  const values = entries.map(([, value]) => value);
  return {
    historyEventCount: execution?.events.size ?? 0,
    historySizeBytes: totalBytes(execution?.events.values() ?? []),
    queuePendingCount: first === undefined ? 0 : carriedMessages("getInstanceStats", first),
    kvUserKeyCount: values.length,
    kvTotalValueBytes: totalBytes(values),
  };
}

function totalBytes(texts: Iterable<string>): number {
  let bytes = 0;
  for (const text of texts) bytes += utf8Bytes(text);
  return bytes;
}
