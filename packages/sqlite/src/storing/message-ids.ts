/**
 * Remembers ids of messages for one to two days, and deletes them with their instance (docs/decisions/messages.md).
 *
 * - message-ids.I1: An id is remembered in the transaction that stores its message.
 * - message-ids.I2: A message with a known id is not stored, even if the first message was consumed.
 * - message-ids.I3: The ids of an instance are deleted with its row, because its key may be used again: those of all
 *   days, because the clock may have been set.
 * - message-ids.I4: A clock that is set back over midnight makes no id unknown.
 */
import type { Transaction } from "../commit/transaction.ts";

const A_DAY_MS = 86_400_000;

/** One statement in the normal case; changes nothing if the id is known, or the instance is unknown. */
const REMEMBER = `INSERT INTO message_ids (day, instance_key, message_id)
  SELECT ?1, instance_key, ?2 FROM instances AS i WHERE instance_id = ?3 AND NOT EXISTS (
    SELECT 1 FROM message_ids AS m
    WHERE m.day IN (?1 - 1, ?1 + 1) AND m.instance_key = i.instance_key AND m.message_id = ?2)
  ON CONFLICT DO NOTHING`;

const IS_KNOWN = "SELECT 1 FROM instances WHERE instance_id = ?";

const IS_REMEMBERED = `SELECT 1 FROM message_ids WHERE day IN (?1 - 1, ?1, ?1 + 1) AND message_id = ?2
  AND instance_key = (SELECT instance_key FROM instances WHERE instance_id = ?3)`;

const NEXT_DAY = "SELECT min(day) AS day FROM message_ids WHERE day > ?";

const FORGET = "DELETE FROM message_ids WHERE day = ? AND instance_key = ?";

const MOVE = "UPDATE message_ids SET instance_key = ?3 WHERE day = ?1 AND instance_key = ?2";

const SWEEP = `DELETE FROM message_ids WHERE (day, instance_key, message_id) IN (
  SELECT day, instance_key, message_id FROM message_ids WHERE day < ? LIMIT 128)`;

/** Every 32nd message deletes up to 128 old ids, so that ids are deleted faster than they are added. */
const SWEEP_EVERY = 32;

/** The state of a message's id. */
export type Remembered = "new" | "known" | "no-instance";

export function rememberMessage(tx: Transaction, instanceId: string, messageId: string): Remembered {
  const day = dayOf(tx);
  if (tx.random.next() * SWEEP_EVERY < 1) tx.db.run(SWEEP, day - 1);
  if (tx.db.run(REMEMBER, day, messageId, instanceId) > 0) return "new";
  return tx.db.get(IS_KNOWN, instanceId) === undefined ? "no-instance" : "known";
}

export function isRemembered(tx: Transaction, instanceId: string, messageId: string): boolean {
  return tx.db.get(IS_REMEMBERED, dayOf(tx), messageId, instanceId) !== undefined;
}

export function forgetMessages(tx: Transaction, instanceKey: number): void {
  for (const day of daysWithIds(tx)) tx.db.run(FORGET, day, instanceKey);
}

/** Called when the key of the instance changes. */
export function moveMessageIds(tx: Transaction, from: number, to: number): void {
  for (const day of daysWithIds(tx)) tx.db.run(MOVE, day, from, to);
}

/** Three at most where no clock was set, one look-up each. */
function* daysWithIds({ db }: Transaction): Generator<number> {
  let day = -1;
  for (;;) {
    const next = db.get<{ readonly day: number | null }>(NEXT_DAY, day)?.day ?? undefined;
    if (next === undefined) return;
    yield next;
    day = next;
  }
}

function dayOf({ nowMs }: Transaction): number {
  return Math.floor(nowMs / A_DAY_MS);
}
