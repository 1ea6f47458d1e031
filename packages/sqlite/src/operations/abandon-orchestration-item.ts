/**
 * Gives a batch back (docs/reference/provider-contract.md §8). Delay and attempt undo touch only the rows that
 * the fetch tagged; an expired token is accepted as long as nobody has taken the instance again.
 */
import { type AbandonOptions, ProviderError } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { parseLockToken } from "../lock-token.ts";
import type { WriteOperation } from "../transaction.ts";
import { unlockInstance } from "../turn/unlock-instance.ts";

const OPERATION = "abandonOrchestrationItem";

const IS_HOLDER = "SELECT 1 FROM instances WHERE instance_key = ? AND lock_token = ?";

const UNTAG = `UPDATE orchestrator_queue SET lock_token = NULL, visible_at = max(visible_at, ?4),
    attempt_count = max(0, attempt_count - ?5)
  WHERE instance_key = ?1 AND visible_at <= ?2 AND lock_token = ?3`;

export function abandonOrchestrationItem(
  lockToken: string,
  options: AbandonOptions = {},
): WriteOperation<void> {
  const { key, visibleUntilMs, secret } = parseLockToken(OPERATION, lockToken);
  const delayMs = toDurationMs(OPERATION, "delayMs", options.delayMs ?? 0);
  const undoneAttempts = options.ignoreAttempt === true ? 1 : 0;
  return (tx) => {
    if (tx.db.get(IS_HOLDER, key, secret) === undefined) throw ProviderError.lockLost(OPERATION);
    const visibleAtMs = delayMs === 0 ? 0 : later(tx.nowMs, delayMs);
    tx.db.run(UNTAG, key, visibleUntilMs, secret, visibleAtMs, undoneAttempts);
    unlockInstance(tx, key);
  };
}
