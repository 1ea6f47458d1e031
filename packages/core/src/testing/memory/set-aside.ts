/**
 * Removes rows that cannot be decoded from the queue, with a warning that has their text. As a part of a batch they
 * would be lost with its commit, and as an error they would block the fetch of later rows
 * (docs/reference/provider-contract.md §6).
 */
import type { Store } from "./store.ts";

interface Row {
  readonly instanceId: string;
  readonly workItem: string;
}

/** Whether `decode` can read the row; if not, removes it from its queue. */
export function isReadable<R extends Row>(store: Store, row: R, decode: (row: R) => unknown): boolean {
  try {
    decode(row);
    return true;
  } catch (error) {
    setAside(store, row, (error as Error).message);
    return false;
  }
}

function setAside(store: Store, row: Row, reason: string): void {
  store.messages = store.messages.filter((each) => each !== row);
  store.activities = store.activities.filter((each) => each !== row);
  const message = `Set aside a work item that cannot be decoded (${reason}): ${row.workItem}`;
  store.warn(message, { instanceId: row.instanceId });
}
