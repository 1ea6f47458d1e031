/** Events of one execution, the newest by default (docs/reference/provider-contract.md §9). */
import type { HistoryEvent } from "../../../wire/event.ts";
import { corruptData, readEvents } from "../codec.ts";
import { currentExecutionId, type Store } from "../store.ts";

export function readHistory(
  store: Store,
  instanceId: string,
  executionId: number = currentExecutionId(store, instanceId),
): readonly HistoryEvent[] {
  try {
    return readEvents(store.executions.get(instanceId)?.get(executionId));
  } catch (error) {
    throw corruptData("readHistory", error);
  }
}
