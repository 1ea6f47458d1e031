/** The lock of a turn: whose it is, how it is extended, and how the turn is given back (§8). */
import { type AbandonOptions, ProviderError } from "@duroxide-ts/core";
import { checkLockToken } from "@duroxide-ts/core/stores";
import { requireDurations } from "../input.ts";
import { isValid, type Lock, type Moment, type Tables } from "../tables.ts";

interface LockedInstance {
  readonly instanceId: string;
  readonly lock: Lock;
}

/** The instance that the token locks now. */
export function lockedInstance({ tables, nowMs }: Moment, operation: string, token: string): LockedInstance {
  const locked = instanceOf(tables, operation, token);
  if (!isValid(locked.lock, nowMs)) throw ProviderError.lockLost(operation);
  return locked;
}

export function renewOrchestrationItemLock(moment: Moment, token: string, extendMs: number): void {
  requireDurations("renewOrchestrationItemLock", { extendMs });
  const { lock } = lockedInstance(moment, "renewOrchestrationItemLock", token);
  lock.untilMs = Math.max(lock.untilMs, moment.nowMs + extendMs);
}

/** Touches the rows of this fetch only. An expired lock may be given back as long as nobody else took it. */
export function abandonOrchestrationItem(
  { tables, nowMs }: Moment,
  token: string,
  { delayMs = 0, ignoreAttempt = false }: AbandonOptions = {},
): void {
  requireDurations("abandonOrchestrationItem", { delayMs });
  const { instanceId } = instanceOf(tables, "abandonOrchestrationItem", token);
  tables.instanceLocks.delete(instanceId);
  for (const row of tables.orchestratorQueue) {
    if (row.deliveredTo !== token) continue;
    row.deliveredTo = undefined;
    row.visibleAtMs = nowMs + delayMs;
    if (ignoreAttempt) row.attempts = Math.max(0, row.attempts - 1);
  }
}

function instanceOf({ instanceLocks }: Tables, operation: string, token: string): LockedInstance {
  checkLockToken(operation, token);
  for (const [instanceId, lock] of instanceLocks) if (lock.token === token) return { instanceId, lock };
  throw ProviderError.lockLost(operation);
}
