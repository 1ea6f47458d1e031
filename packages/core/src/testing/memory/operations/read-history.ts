/** Events of one execution, the newest by default (docs/reference/provider-contract.md §9). */
import { toPositiveId } from "../../../stores/arguments.ts";
import type { HistoryEvent } from "../../../wire/event.ts";
import { corruptData, readEvents } from "../codec.ts";
import { currentExecutionId, type Store } from "../store.ts";

export function readHistory(store: Store, instanceId: string, executionId?: number): readonly HistoryEvent[] {
  const id =
    executionId === undefined
      ? currentExecutionId(store, instanceId)
      : toPositiveId("readHistory", "executionId", executionId);
  try {
    return readEvents(store.executions.get(instanceId)?.get(id));
  } catch (error) {
    throw corruptData("readHistory", error);
  }
}
