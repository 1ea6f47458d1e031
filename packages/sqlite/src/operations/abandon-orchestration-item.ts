/**
 * Releases a batch (docs/reference/provider-contract.md §8). The delay and the undo of the attempt change only rows
 * that the fetch tagged; an expired token is accepted if the instance was not fetched again.
 *
 * The rows of a blocked batch keep their tag, by which the next fetch finds them, visible or not.
 */
import { type AbandonOptions, later, ProviderError, toDurationMs } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { blockAfter } from "../rows/blocked.ts";
import { parseLockToken } from "../rows/lock-token.ts";
import { unlockInstance } from "../turn/unlock-instance.ts";

const OPERATION = "abandonOrchestrationItem";

const FIND_HELD = "SELECT blocked FROM instances WHERE instance_key = ? AND lock_token = ?";

const GIVE_BACK = `UPDATE orchestrator_queue SET lock_token = ?6, visible_at = max(visible_at, ?4),
    attempt_count = max(0, attempt_count - ?5)
  WHERE instance_key = ?1 AND visible_at <= ?2 AND lock_token = ?3`;

const SET_BLOCK = "UPDATE instances SET blocked_since = ?2, blocked = ?3 WHERE instance_key = ?1";

/** Earlier than the visible time of any row. */
const UNCHANGED = Number.MIN_SAFE_INTEGER;

export function abandonOrchestrationItem(
  lockToken: string,
  options: AbandonOptions = {},
): WriteOperation<void> {
  const { key, visibleUntilMs, secret } = parseLockToken(OPERATION, lockToken);
  const delayMs = toDurationMs(OPERATION, "delayMs", options.delayMs ?? 0);
  const undoneAttempts = options.ignoreAttempt === true ? 1 : 0;
  const tag = options.blocked === undefined ? null : secret;
  return (tx) => {
    const held = tx.db.get<{ blocked: string | null }>(FIND_HELD, key, secret);
    if (held === undefined) throw ProviderError.lockLost(OPERATION);
    const nextTryAtMs = later(tx.nowMs, delayMs);
    const visibleAtMs = delayMs === 0 ? UNCHANGED : nextTryAtMs;
    tx.db.run(GIVE_BACK, key, visibleUntilMs, secret, visibleAtMs, undoneAttempts, tag);
    const block = blockAfter(held.blocked, options.blocked, { nowMs: tx.nowMs, nextTryAtMs, batch: secret });
    if (block.blocked !== held.blocked) tx.db.run(SET_BLOCK, key, block.blocked_since, block.blocked);
    unlockInstance(tx, key);
  };
}
