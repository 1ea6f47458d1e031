/**
 * Notices that the clock of the machine was set back. Locks, delays and messages are compared with the clock, so those
 * from before would lie in the future for as long as the clock was set back by, which may be hours. Therefore the store
 * notes the time of its transactions, and the first transaction after the step moves them
 * (docs/decisions/waiting.md).
 *
 * - store-time.T1: No transaction was later than the noted time, and the last one was less than NOTE_MS before it.
 * - store-time.T2: A message that was visible stays visible, in its place.
 * - store-time.T3: A lock or a delay keeps its rest, and gets NOTE_MS more at most: a lock never ends early.
 * - store-time.T4: A timer that was not due stays, because it is a time of the clock.
 */
import { invariant } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import type { Transaction } from "./transaction.ts";

const NOTE_MS = 1_000;

/** Steps that the synchronization of a clock makes. They are not worth a change. */
const SMALL_STEP_MS = 1_000;

const NOTED = "SELECT time_ms FROM totals";

const NOTE = "UPDATE totals SET time_ms = ?";

/** store-time.T2 to store-time.T4. Timers are in place: a message that was delayed has an earlier order time. */
const MOVE_MESSAGES = `UPDATE orchestrator_queue SET
    visible_at = CASE WHEN visible_at <= ?2 THEN min(visible_at, ?1)
      WHEN visible_at <> order_at THEN visible_at - ?3 ELSE visible_at END,
    order_at = CASE WHEN order_at <= ?2 THEN min(order_at, ?1) ELSE order_at END
  WHERE visible_at > ?1`;

const MOVE_LOCKS = "UPDATE instances SET due_at = due_at - ?2 WHERE lock_token IS NOT NULL AND due_at > ?1";

/** Ends postponements too, which the next fetch renews. */
const MOVE_INSTANCES = `UPDATE instances SET due_at = (SELECT iif(min(visible_at) < 0, ?1, min(visible_at))
    FROM orchestrator_queue q WHERE q.instance_key = instances.instance_key)
  WHERE lock_token IS NULL AND due_at > ?1`;

const MOVE_ACTIVITIES = "UPDATE worker_queue SET due_at = max(2, due_at - ?2) WHERE due_at > ?1";

const MOVE_SESSIONS = `UPDATE sessions SET locked_until = locked_until - ?2,
    last_activity_at = last_activity_at - ?2 WHERE locked_until > ?1`;

/** Work that waits for a slot keeps its rest, too. */
const MOVE_LIMITS = [
  "UPDATE limit_queues SET open_at = open_at - ?2 WHERE open_at > ?1",
  "UPDATE limit_queues SET overdue_at = overdue_at - ?2 WHERE rank > 1",
  "UPDATE limit_rates SET spent_until = spent_until - ?2 WHERE spent_until > ?1",
];

export class StoreTime {
  readonly #db: Database;
  /** Called in the transaction that moves rows. */
  readonly #onMove: () => void;
  /** Time as this process last read or stored it, ms. */
  #notedMs: number | undefined;
  /** Time that the open transaction reads or stores, ms. */
  #nextMs: number | undefined;

  constructor(db: Database, onMove: () => void) {
    this.#db = db;
    this.#onMove = onMove;
  }

  /** Whether a transaction is needed, because the clock was set back. */
  isBack(nowMs: number): boolean {
    this.#notedMs ??= this.#read();
    return stepMs(this.#notedMs, nowMs) > SMALL_STEP_MS;
  }

  /** Called at the beginning of each transaction. */
  pass({ nowMs }: Pick<Transaction, "nowMs">): void {
    this.#nextMs = this.#notedMs;
    if (this.#notedMs !== undefined && nowMs <= this.#notedMs && !this.isBack(nowMs)) return;
    // Another process may have noted a later time, or moved the rows already.
    this.#nextMs = this.#read();
    const backMs = stepMs(this.#nextMs, nowMs);
    if (backMs > SMALL_STEP_MS) this.#move(nowMs, this.#nextMs, backMs);
    else if (nowMs <= this.#nextMs) return;
    this.#nextMs = nowMs + NOTE_MS;
    invariant(stepMs(this.#nextMs, nowMs) <= 0, "store-time.T1");
    this.#db.run(NOTE, this.#nextMs);
  }

  committed(): void {
    this.#notedMs = this.#nextMs;
  }

  #read(): number {
    return this.#db.get<{ readonly time_ms: number }>(NOTED)?.time_ms ?? 0;
  }

  #move(nowMs: number, notedMs: number, backMs: number): void {
    this.#db.run(MOVE_MESSAGES, nowMs, notedMs, backMs);
    this.#db.run(MOVE_LOCKS, nowMs, backMs);
    this.#db.run(MOVE_INSTANCES, nowMs);
    this.#db.run(MOVE_ACTIVITIES, nowMs, backMs);
    this.#db.run(MOVE_SESSIONS, nowMs, backMs);
    for (const statement of MOVE_LIMITS) this.#db.run(statement, nowMs, backMs);
    this.#onMove();
  }
}

/** Time by which the clock was set back, or less, ms (store-time.T1). */
function stepMs(notedMs: number, nowMs: number): number {
  return notedMs - NOTE_MS - nowMs;
}
