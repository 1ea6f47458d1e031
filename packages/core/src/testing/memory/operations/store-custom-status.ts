/**
 * Stores the last change of a turn; all changes of a turn increment the version once
 * (docs/reference/provider-contract.md §14).
 */
import type { HistoryEvent } from "../../../wire/event.ts";
import type { Store } from "../store.ts";

export function storeCustomStatus(
  store: Store,
  instanceId: string,
  historyDelta: readonly HistoryEvent[],
): void {
  const last = historyDelta.findLast((event) => event.type === "CustomStatusUpdated");
  if (last === undefined) return;
  const { version } = store.customStatuses.get(instanceId) ?? { version: 0 };
  store.customStatuses.set(instanceId, { status: last.status, version: version + 1 });
}
