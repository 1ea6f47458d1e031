/** A stored history, whole or not at all (docs/reference/provider-contract.md §9). */
import { type HistoryEvent, ProviderError, saturatedNumber, toPositiveId } from "@duroxide-ts/core/stores";
import { messageOf } from "../message-of.ts";
import { toEvents } from "../schema/history.ts";
import { READ_PATIENCE_MS, readInstance } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";

const OPERATION = "readHistory";

const EVENTS = "SELECT * FROM c WHERE c.type = 'history' AND c.executionId = @execution";

export async function readHistory(
  store: Store,
  instanceId: string,
  executionId?: number,
): Promise<readonly HistoryEvent[]> {
  if (executionId !== undefined) toPositiveId(OPERATION, "executionId", executionId);
  const call = store.requests.call(OPERATION, READ_PATIENCE_MS);
  const instance = await readInstance(store, call, instanceId);
  if (instance === undefined) return [];
  const execution = executionId ?? saturatedNumber(instance.document.currentExecutionId);
  const documents = await store.requests.query(call, instanceId, {
    query: EVENTS,
    parameters: [{ name: "@execution", value: execution }],
  });
  try {
    return toEvents(documents);
  } catch (cause) {
    throw new ProviderError({
      code: "corrupt-data",
      operation: OPERATION,
      message: `the history of ${JSON.stringify(instanceId)} cannot be decoded: ${messageOf(cause)}`,
      cause,
    });
  }
}
