/** Moves the end of a valid lock, never backwards (docs/reference/provider-contract.md §8, §8.2). */
import { later, ProviderError, type RenewOptions, toDurationMs } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { parseLockToken } from "../rows/lock-token.ts";

const OPERATION = "renewOrchestrationItemLock";

const EXTEND = `UPDATE instances SET due_at = max(due_at, ?)
  WHERE instance_key = ? AND lock_token = ? AND due_at > ?`;

const MARK = `UPDATE orchestrator_queue SET attempt_count = max(0, attempt_count - ?4),
    ran_alone = ran_alone + ?5
  WHERE instance_key = ?1 AND visible_at <= ?2 AND lock_token = ?3`;

export function renewOrchestrationItemLock(
  lockToken: string,
  extendMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions = {},
): WriteOperation<void> {
  const { key, visibleUntilMs, secret } = parseLockToken(OPERATION, lockToken);
  const extension = toDurationMs(OPERATION, "extendMs", extendMs);
  return (tx) => {
    const changed = tx.db.run(EXTEND, later(tx.nowMs, extension), key, secret, tx.nowMs);
    if (changed === 0) throw ProviderError.lockLost(OPERATION);
    if (ignoreAttempt || alone) {
      tx.db.run(MARK, key, visibleUntilMs, secret, ignoreAttempt ? 1 : 0, alone ? 1 : 0);
    }
    tx.effects.orchestrations.add(later(tx.nowMs, extension));
  };
}
