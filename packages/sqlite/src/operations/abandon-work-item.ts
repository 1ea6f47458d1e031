/**
 * Releases an activity, at once or after a delay (docs/reference/provider-contract.md §10). An expired token is
 * accepted if the activity was not fetched again.
 */
import { type AbandonOptions, later, ProviderError, toDurationMs } from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import { endPermit, joinQueue, type RankedRow } from "../limits/queues.ts";
import { blockAfter } from "../rows/blocked.ts";
import { RANKED_AT } from "../rows/codec.ts";
import { parseLockToken, RANKED_TOKEN } from "../rows/lock-token.ts";

const OPERATION = "abandonWorkItem";

const FIND_HELD = "SELECT blocked FROM worker_queue WHERE id = ? AND lock_token = ?";

const UNLOCK = `UPDATE worker_queue SET lock_token = NULL, due_at = ?,
    attempt_count = max(0, attempt_count - ?), blocked_since = ?, blocked = ?
  WHERE id = ?`;

/** `worker_queue.due_at` of an eligible activity. */
const READY = 0;

const FIND_RANKED = "SELECT limit_key, lane, priority, queued_at FROM worker_queue WHERE id = ?";

export function abandonWorkItem(lockToken: string, options: AbandonOptions = {}): WriteOperation<void> {
  const { key, secret, visibleUntilMs } = parseLockToken(OPERATION, lockToken);
  const isRanked = visibleUntilMs === RANKED_TOKEN;
  const delayMs = toDurationMs(OPERATION, "delayMs", options.delayMs ?? 0);
  const undoneAttempts = options.ignoreAttempt === true ? 1 : 0;
  return (tx) => {
    const held = tx.db.get<{ blocked: string | null }>(FIND_HELD, key, secret);
    if (held === undefined) throw ProviderError.lockLost(OPERATION);
    const nextTryAtMs = later(tx.nowMs, delayMs);
    const readyAtMs = isRanked ? RANKED_AT : READY;
    const dueAtMs = delayMs === 0 ? readyAtMs : nextTryAtMs;
    const block = blockAfter(held.blocked, options.blocked, { nowMs: tx.nowMs, nextTryAtMs });
    tx.db.run(UNLOCK, dueAtMs, undoneAttempts, block.blocked_since, block.blocked, key);
    tx.effects.activities.add(nextTryAtMs);
    if (isRanked) releaseRanked(tx, key, dueAtMs);
  };
}

function releaseRanked(tx: Transaction, id: number, dueAtMs: number): void {
  const row = tx.db.get<RankedRow>(FIND_RANKED, id);
  if (row === undefined) return;
  if (dueAtMs === RANKED_AT) joinQueue(tx, row);
  endPermit(tx, row.limit_key);
}
