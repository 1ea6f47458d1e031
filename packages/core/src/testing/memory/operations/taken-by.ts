/** The instance, or the start that waits, that has an id. */
import type { TakenId } from "../../../contract/provider.ts";
import { takenStatus } from "../../../stores/taken-id.ts";
import { statusOf } from "../admin/inspect.ts";
import { toMessage } from "../codec.ts";
import type { Store } from "../store.ts";

/** `undefined` if there are at most messages for it. */
export function takenBy(store: Store, instanceId: string): TakenId | undefined {
  const instance = store.instances.get(instanceId);
  if (instance !== undefined)
    return { orchestration: instance.name, status: takenStatus(statusOf(store, instanceId)) };
  for (const row of store.messages) {
    const message = row.instanceId === instanceId ? toMessage(row) : undefined;
    if (message?.kind === "StartOrchestration")
      return { orchestration: message.orchestration, status: "Queued" };
  }
  return undefined;
}
