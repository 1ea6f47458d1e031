/**
 * Removes rows that cannot be decoded from the queue, with a warning that has their text, and keeps them as dead
 * letters. As a part of a batch they would be lost with its commit, and as an error they would block the fetch of later
 * rows (docs/reference/provider-contract.md §6).
 */
import type { DeadLetter } from "../../contract/queries.ts";
import type { ActivityRow, MessageRow, Store } from "./store.ts";

/** Whether `decode` can read the row; if not, removes it from its queue. */
export function isReadable<R extends MessageRow | ActivityRow>(
  store: Store,
  row: R,
  decode: (row: R) => unknown,
): boolean {
  try {
    decode(row);
    return true;
  } catch (error) {
    setAside(store, row, (error as Error).message);
    return false;
  }
}

function setAside(store: Store, row: MessageRow | ActivityRow, reason: string): void {
  store.messages = store.messages.filter((each) => each !== row);
  store.activities = store.activities.filter((each) => each !== row);
  const id = String(++store.rowsSetAside);
  const { instanceId, workItem: text } = row;
  const kind = "activityId" in row ? "worker" : "orchestrator";
  const letter: DeadLetter = { id, kind, instanceId, reason, movedAtMs: store.clock.now(), text };
  store.deadLetters.set(id, {
    letter,
    message: "activityId" in row ? undefined : { ...row, lockToken: undefined, attemptCount: 0 },
    activity: "activityId" in row ? { ...row, lockToken: undefined, attemptCount: 0 } : undefined,
  });
  store.warn(`Set aside a work item that cannot be decoded (${reason}): ${text}`, { instanceId });
}
