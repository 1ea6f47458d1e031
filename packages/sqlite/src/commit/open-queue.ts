/**
 * The changes of instance queues that the open transaction has not written yet: new messages, and locked batches. A
 * turn of the same transaction consumes most of them; their rows are then never written, because no other transaction
 * could read them. Without it W1 is 18 %, W2 6 % and W5 26 % slower (`npm run dev -- bench pairs`, 20 pairs): a turn begins
 * in the transaction only with messages that came just now, and those have no rows.
 *
 * - open-queue.Q1: The due time and the lock of the instance are written at once, so no other fetch takes the instance
 *   or its rows.
 * - open-queue.Q2: All changes are written before the commit, and before every operation that may read rows of an
 *   instance or change an instance that it does not lock (Effects.before).
 * - open-queue.Q3: Rows of an instance are written in the order of their arrival: first those of a held batch, then
 *   later ones, and all of them before any other row of the instance, and before its due time is computed.
 * - open-queue.Q4: The acknowledgement of a held batch need not read the instance, because nothing has changed it since
 *   (open-queue.Q2).
 * - open-queue.Q5: The stored rows of a held batch are those that were visible when it was locked. Later rows have
 *   higher ids.
 */
import { invariant } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import type { LockToken } from "../rows/lock-token.ts";
import { insertMessage, type Message } from "../rows/message-row.ts";

/** A message that is visible at once. */
export interface Arrival {
  readonly message: Message;
  readonly orderAtMs: number;
  readonly fromClient: boolean;
}

/** A batch that was locked for a turn that begins in the transaction. */
export interface HeldBatch {
  readonly instance: LockedInstance;
  readonly token: LockToken;
  /** The highest `orchestrator_queue.id` of its stored rows; 0 if it has none. */
  readonly lastRow: number;
  readonly arrivals: readonly Arrival[];
}

const TAG = `UPDATE orchestrator_queue SET lock_token = ?, attempt_count = attempt_count + 1
  WHERE instance_key = ? AND visible_at <= ? AND id <= ?`;

const DELETE = "DELETE FROM orchestrator_queue WHERE instance_key = ? AND visible_at <= ? AND id <= ?";

const NONE: readonly Arrival[] = [];

export class OpenQueue {
  readonly #nowMs: number;
  /** Arrivals by key of the instance. */
  readonly #arrivals = new Map<number, Arrival[]>();
  /** Locked batches by key of the instance, which is locked once at a time. */
  readonly #held = new Map<number, HeldBatch>();

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  add(instanceKey: number, arrival: Arrival): void {
    const others = this.#arrivals.get(instanceKey);
    if (others === undefined) this.#arrivals.set(instanceKey, [arrival]);
    else others.push(arrival);
  }

  arrivalsOf(instanceKey: number): readonly Arrival[] {
    return this.#arrivals.get(instanceKey) ?? NONE;
  }

  /** The batch takes over the arrivals of the instance. */
  hold(batch: HeldBatch): void {
    invariant(!this.#held.has(batch.token.key), "open-queue.Q1");
    this.#arrivals.delete(batch.token.key);
    this.#held.set(batch.token.key, batch);
  }

  /** The instance of the batch that is held with this token, if any (open-queue.Q4). */
  findHeld({ key, secret }: LockToken): LockedInstance | undefined {
    const batch = this.#held.get(key);
    return batch?.token.secret === secret ? batch.instance : undefined;
  }

  /** Deletes the rows of a held batch; false if it is not held. */
  deleteHeld(db: Database, { key, secret, visibleUntilMs }: LockToken): boolean {
    const batch = this.#held.get(key);
    if (batch?.token.secret !== secret) return false;
    this.#held.delete(key);
    if (batch.lastRow > 0) db.run(DELETE, key, visibleUntilMs, batch.lastRow);
    return true;
  }

  /** Writes the changes of one instance (open-queue.Q3). */
  write(db: Database, instanceKey: number): void {
    const batch = this.#held.get(instanceKey);
    if (batch !== undefined) this.#writeHeld(db, batch);
    const arrivals = this.#arrivals.get(instanceKey);
    if (arrivals === undefined) return;
    this.#arrivals.delete(instanceKey);
    for (const arrival of arrivals) this.#insert(db, instanceKey, arrival, null);
  }

  writeAll(db: Database): void {
    for (const batch of this.#held.values()) this.#writeHeld(db, batch);
    for (const [key, arrivals] of this.#arrivals)
      for (const each of arrivals) this.#insert(db, key, each, null);
    this.#arrivals.clear();
  }

  #writeHeld(db: Database, { token, lastRow, arrivals }: HeldBatch): void {
    this.#held.delete(token.key);
    if (lastRow > 0) db.run(TAG, token.secret, token.key, token.visibleUntilMs, lastRow);
    for (const arrival of arrivals) this.#insert(db, token.key, arrival, token.secret);
  }

  #insert(db: Database, instanceKey: number, { message, orderAtMs }: Arrival, tag: string | null): void {
    insertMessage(db, message, { instanceKey, visibleAtMs: this.#nowMs, orderAtMs, tag });
  }
}
