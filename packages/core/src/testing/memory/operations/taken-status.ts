/** Whether an id is that of an instance, or of a start that waits. */
import type { StartOutcome } from "../../../contract/provider.ts";
import { statusOf } from "../admin/inspect.ts";
import { toMessage } from "../codec.ts";
import type { Store } from "../store.ts";

/** The status of the instance with this id; `undefined` if there are at most messages for it. */
export function takenStatus(
  store: Store,
  instanceId: string,
): Extract<StartOutcome, { kind: "exists" }>["status"] | undefined {
  if (store.instances.has(instanceId)) {
    const status = statusOf(store, instanceId);
    return status === "ContinuedAsNew" ? "Running" : status;
  }
  const isStart = store.messages.some(
    (row) => row.instanceId === instanceId && toMessage(row).kind === "StartOrchestration",
  );
  return isStart ? "Queued" : undefined;
}
