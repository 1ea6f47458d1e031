/** Damages stored data, as a disk error or a manual change would, for tests. */
import { DEFAULT_PRIORITY } from "../../contract/limits.ts";
import type { Store } from "./store.ts";

const UNREADABLE_EVENT = '{"type":"Unheard-of"}';

const UNREADABLE_WORK_ITEM = '{"Unheard-of":{}}';

export function corruptHistory(store: Store, instanceId: string): void {
  for (const { events } of store.executions.get(instanceId)?.values() ?? []) {
    for (const eventId of events.keys()) events.set(eventId, UNREADABLE_EVENT);
  }
  store.historyTags.delete(instanceId);
}

/** A visible row, at the end of its queue. */
export function putUndecodableRow(store: Store, queue: "orchestrator" | "worker", instanceId: string): void {
  const nowMs = store.clock.now();
  const row = {
    instanceId,
    workItem: UNREADABLE_WORK_ITEM,
    visibleAtMs: nowMs,
    attemptCount: 0,
    lockToken: undefined,
  };
  if (queue === "orchestrator")
    store.messages.push({
      ...row,
      timer: undefined,
      parentInstanceId: undefined,
      orderAtMs: nowMs,
      loneRuns: 0,
    });
  else {
    const routing = { executionId: 1, activityId: 1, sessionId: undefined, tag: undefined, lockedUntilMs: 0 };
    const place = { limit: undefined, priority: DEFAULT_PRIORITY, queuedAtMs: nowMs };
    store.activities.push({ ...row, ...routing, ...place, loneRuns: 0, block: undefined });
  }
}
