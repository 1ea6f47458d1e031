/** Events of one execution, the newest by default (docs/reference/provider-contract.md §9). */
import { toPositiveId } from "../../../stores/arguments.ts";
import { decodeStored } from "../../../stores/decode-stored.ts";
import type { HistoryEvent } from "../../../wire/event.ts";
import { readEvents } from "../codec.ts";
import { currentExecutionId, type Store } from "../store.ts";

export function readHistory(store: Store, instanceId: string, executionId?: number): readonly HistoryEvent[] {
  const id =
    executionId === undefined
      ? currentExecutionId(store, instanceId)
      : toPositiveId("readHistory", "executionId", executionId);
  const execution = store.executions.get(instanceId)?.get(id);
  return decodeStored("readHistory", `the history of instance ${JSON.stringify(instanceId)}`, () =>
    readEvents(execution),
  );
}
