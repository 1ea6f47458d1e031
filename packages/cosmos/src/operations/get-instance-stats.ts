/** The sizes of the current execution and of the KV (docs/reference/provider-contract.md §14). */
import type { InstanceStats } from "@duroxide-ts/core";
import { carriedMessages, isAnswerKey, saturatedNumber } from "@duroxide-ts/core/stores";
import { readNamed } from "../leases/read-instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS } from "../memory/waits.ts";
import { merged } from "./get-kv.ts";

const OPERATION = "getInstanceStats";

const QUERY = `SELECT c.type, c.eventId, c.eventData, c.key, c['value'] FROM c
  WHERE (c.type = 'history' AND c.executionId = @execution) OR c.type = 'kv' OR c.type = 'kv_delta'`;

interface Row {
  readonly type: string;
  readonly eventId?: number;
  readonly eventData?: string;
  readonly key?: string;
  readonly value?: string | null;
}

export async function getInstanceStats(parts: Parts, instanceId: string): Promise<InstanceStats | undefined> {
  const work = new Work(parts, OPERATION, READ_TIMEOUT_MS);
  const instance = await readNamed(work, instanceId);
  if (instance === undefined) return undefined;
  const rows = await work.query<Row>(instanceId, QUERY, {
    "@execution": saturatedNumber(instance.document.currentExecutionId),
  });
  const events = rows.filter(({ type }) => type === "history");
  const first = events.find(({ eventId }) => eventId === 1)?.eventData;
  const values = merged(
    rows
      .filter(({ type, key }) => type !== "history" && !isAnswerKey(key ?? ""))
      .map(({ type, key = "", value = null }) => ({ type, key, value })),
  );
  return {
    historyEventCount: events.length,
    historySizeBytes: events.reduce((sum, { eventData = "" }) => sum + Buffer.byteLength(eventData), 0),
    queuePendingCount: first === undefined ? 0 : carriedMessages(OPERATION, first),
    kvUserKeyCount: values.size,
    kvTotalValueBytes: [...values.values()].reduce((sum, value) => sum + Buffer.byteLength(value), 0),
  };
}
