/** What clients ask about one instance, each answer from one look at the tables (§14). */
import {
  type CustomStatus,
  decodeEvent,
  type InstanceStats,
  type InstanceStatus,
  ProviderError,
} from "@duroxide-ts/core";
import { checkSeenVersion } from "@duroxide-ts/core/stores";
import type { Execution, Moment } from "../tables.ts";
import { currentExecution } from "./history.ts";
import { getKvAllValues } from "./key-values.ts";

export function getInstanceStatus({ tables }: Moment, instanceId: string): InstanceStatus | undefined {
  const execution = currentExecution(tables, instanceId);
  if (!tables.instances.has(instanceId) || execution === undefined) return undefined;
  const { id: executionId, status, output } = execution;
  const custom = tables.customStatuses.get(instanceId) ?? { status: null, version: 0 };
  return { executionId, status, output, customStatus: custom.status, customStatusVersion: custom.version };
}

export function getCustomStatus(
  { tables }: Moment,
  instanceId: string,
  lastSeenVersion: number,
): CustomStatus | undefined {
  checkSeenVersion("getCustomStatus", lastSeenVersion);
  const custom = tables.instances.has(instanceId) ? tables.customStatuses.get(instanceId) : undefined;
  return custom !== undefined && custom.version > lastSeenVersion ? custom : undefined;
}

export function getInstanceStats(moment: Moment, instanceId: string): InstanceStats | undefined {
  const execution = currentExecution(moment.tables, instanceId);
  if (!moment.tables.instances.has(instanceId) || execution === undefined) return undefined;
  const values = [...getKvAllValues(moment, instanceId).values()];
  return {
    historyEventCount: execution.events.size,
    historySizeBytes: sizeBytesOf([...execution.events.values()]),
    queuePendingCount: carriedMessages(execution),
    kvUserKeyCount: values.length,
    kvTotalValueBytes: sizeBytesOf(values),
  };
}

/** Queue messages that the execution inherited stand in its first event. */
function carriedMessages({ events }: Execution): number {
  const text = events.get(1);
  if (text === undefined) return 0;
  try {
    const first = decodeEvent(text);
    return first.type === "OrchestrationStarted" ? (first.carry_forward_events?.length ?? 0) : 0;
  } catch (cause) {
    const message = `the first event cannot be decoded: ${String(cause)}`;
    throw new ProviderError({ code: "corrupt-data", operation: "getInstanceStats", message, cause });
  }
}

function sizeBytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
