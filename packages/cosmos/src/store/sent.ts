/** A message that this process has put into the queue of an instance. */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { type NewRow, newMessageRow } from "../schema/rows.ts";
import type { Store } from "./store.ts";

/**
 * `now`: it is there, and a turn may begin with it unseen. `before`: by an attempt whose answer was lost, so that it
 * may be taken already, and is looked for.
 */
export function sent(store: Store, row: NewRow<OrchestratorItem>, when: "now" | "before"): void {
  const { instanceId, visibleAtMs } = row;
  if (when === "now") {
    store.knowledge.wrote(instanceId, newMessageRow(row));
  } else {
    store.knowledge.expect(instanceId, visibleAtMs);
  }
  store.turnsWanted.notify();
}
