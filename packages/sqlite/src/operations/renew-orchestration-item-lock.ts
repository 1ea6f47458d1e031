/** Moves the end of a valid lock, never backwards (docs/reference/provider-contract.md §8). */
import { ProviderError } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { parseLockToken } from "../lock-token.ts";
import type { WriteOperation } from "../transaction.ts";

const OPERATION = "renewOrchestrationItemLock";

const EXTEND = `UPDATE instances SET due_at = max(due_at, ?)
  WHERE instance_key = ? AND lock_token = ? AND due_at > ?`;

export function renewOrchestrationItemLock(lockToken: string, extendMs: number): WriteOperation<void> {
  const { key, secret } = parseLockToken(OPERATION, lockToken);
  const extension = toDurationMs(OPERATION, "extendMs", extendMs);
  return (tx) => {
    const changed = tx.db.run(EXTEND, later(tx.nowMs, extension), key, secret, tx.nowMs);
    if (changed === 0) throw ProviderError.lockLost(OPERATION);
    tx.effects.orchestrations.add(later(tx.nowMs, extension));
  };
}
