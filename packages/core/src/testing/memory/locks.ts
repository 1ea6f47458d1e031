/** The validity of locks (docs/reference/provider-contract.md §4): at its deadline a lock is invalid. */
import { ProviderError } from "../../contract/provider-error.ts";
import { checkLockToken } from "../../stores/arguments.ts";
import type { ActivityRow, InstanceLock, Store } from "./store.ts";

export interface LockedInstance {
  readonly instanceId: string;
  readonly lock: InstanceLock;
}

export function isInstanceLocked(store: Store, instanceId: string, nowMs: number): boolean {
  return (store.instanceLocks.get(instanceId)?.lockedUntilMs ?? 0) > nowMs;
}

/** The lock with this token, expired or not, if the instance was not locked again. */
export function findInstanceLock(store: Store, operation: string, token: string): LockedInstance {
  checkLockToken(operation, token);
  for (const [instanceId, lock] of store.instanceLocks) {
    if (lock.token === token) return { instanceId, lock };
  }
  throw ProviderError.lockLost(operation);
}

export function findValidInstanceLock(
  store: Store,
  operation: string,
  token: string,
  nowMs: number,
): LockedInstance {
  const found = findInstanceLock(store, operation, token);
  if (found.lock.lockedUntilMs <= nowMs) throw ProviderError.lockLost(operation);
  return found;
}

export function isActivityLocked({ lockToken, lockedUntilMs }: ActivityRow, nowMs: number): boolean {
  return lockToken !== undefined && lockedUntilMs > nowMs;
}

/** The activity locked with this token, expired or not, if it was not locked again. */
export function findLockedActivity(store: Store, operation: string, token: string): ActivityRow {
  checkLockToken(operation, token);
  const row = store.activities.find(({ lockToken }) => lockToken === token);
  if (row === undefined) throw ProviderError.lockLost(operation);
  return row;
}

export function findValidActivityLock(
  store: Store,
  operation: string,
  token: string,
  nowMs: number,
): ActivityRow {
  const row = findLockedActivity(store, operation, token);
  if (!isActivityLocked(row, nowMs)) throw ProviderError.lockLost(operation);
  return row;
}
