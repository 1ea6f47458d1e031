/** A stored history, whole or not at all (docs/reference/provider-contract.md §9). */
import type { HistoryEvent } from "@duroxide-ts/core";
import { decodeStored, saturatedNumber, toPositiveId } from "@duroxide-ts/core/stores";
import { toEvents } from "../documents/history.ts";
import { readInstance } from "../leases/read-instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS } from "../memory/waits.ts";

const OPERATION = "readHistory";

const EVENTS = "SELECT * FROM c WHERE c.type = 'history' AND c.executionId = @execution";

export async function readHistory(
  parts: Parts,
  instanceId: string,
  executionId?: number,
): Promise<readonly HistoryEvent[]> {
  if (executionId !== undefined) toPositiveId(OPERATION, "executionId", executionId);
  const work = new Work(parts, OPERATION, READ_TIMEOUT_MS);
  const instance = await readInstance(work, instanceId);
  if (instance === undefined) return [];
  const execution = executionId ?? saturatedNumber(instance.document.currentExecutionId);
  const documents = await work.query(instanceId, EVENTS, { "@execution": execution });
  const what = `the history of instance ${JSON.stringify(instanceId)}`;
  return decodeStored(OPERATION, what, () => toEvents(documents));
}
