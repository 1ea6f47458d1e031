/** Deletes a locked activity that has ended. */
import type { Transaction } from "../commit/transaction.ts";
import { endPermit } from "../limits/queues.ts";
import { type LockToken, PLAIN_TOKEN } from "../rows/lock-token.ts";
import { touchSession } from "./touch-session.ts";

const DELETE = `DELETE FROM worker_queue
  WHERE id = ? AND lock_token = ? AND due_at > ? AND instance_key = coalesce(?, instance_key)`;

/** Takes twice as long, because SQLite keeps the rows that it returns in a table of their own. */
const DELETE_LINKED = `${DELETE} RETURNING session_id, limit_key`;

interface EndedRow {
  readonly session_id: string | null;
  readonly limit_key: string | null;
}

/** False, with nothing written, if the lock is lost or the activity is of another instance than the given one. */
export function endActivity(
  tx: Transaction,
  { key, secret, visibleUntilMs }: LockToken,
  instanceKey?: number,
): boolean {
  const values = [key, secret, tx.nowMs, instanceKey ?? null] as const;
  if (visibleUntilMs === PLAIN_TOKEN) return tx.db.run(DELETE, ...values) > 0;
  const row = tx.db.get<EndedRow>(DELETE_LINKED, ...values);
  if (row === undefined) return false;
  touchSession(tx, row.session_id);
  endPermit(tx, row.limit_key);
  return true;
}
