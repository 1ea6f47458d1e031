/** Deletes locked activities that have ended. */
import type { Transaction } from "../commit/transaction.ts";
import { endPermit } from "../limits/queues.ts";
import { type LockToken, PLAIN_TOKEN } from "../rows/lock-token.ts";
import { touchSession } from "./touch-session.ts";

const DELETE = `DELETE FROM worker_queue
  WHERE id = ? AND lock_token = ? AND due_at > ? AND instance_key = coalesce(?, instance_key)`;

/** Takes twice as long, because SQLite keeps the rows that it returns in a table of their own. */
const DELETE_LINKED = `${DELETE} RETURNING session_id, limit_key`;

/** Number of held rows of a list of pairs of id and secret. */
const COUNT_HELD = `SELECT count(*) AS held FROM json_each(?) AS token
    CROSS JOIN worker_queue AS w ON w.id = token.value ->> 0
  WHERE w.lock_token = token.value ->> 1 AND w.due_at > ? AND w.instance_key = ?`;

const DELETE_LISTED = "DELETE FROM worker_queue WHERE id IN (SELECT value FROM json_each(?))";

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

/** The same for several, none of which ends without the others. Two statements for all of them. */
export function endActivities(tx: Transaction, tokens: readonly LockToken[], instanceKey: number): boolean {
  const [first, second] = tokens;
  if (first !== undefined && second === undefined) return endActivity(tx, first, instanceKey);
  if (!areHeld(tx, tokens, instanceKey)) return false;
  const plain = tokens.filter(({ visibleUntilMs }) => visibleUntilMs === PLAIN_TOKEN);
  if (plain.length > 0) tx.db.run(DELETE_LISTED, JSON.stringify(plain.map(({ key }) => key)));
  for (const token of tokens) if (token.visibleUntilMs !== PLAIN_TOKEN) endActivity(tx, token, instanceKey);
  return true;
}

function areHeld({ db, nowMs }: Transaction, tokens: readonly LockToken[], instanceKey: number): boolean {
  const pairs = JSON.stringify(tokens.map(({ key, secret }) => [key, secret]));
  return db.get<{ held: number }>(COUNT_HELD, pairs, nowMs, instanceKey)?.held === tokens.length;
}
