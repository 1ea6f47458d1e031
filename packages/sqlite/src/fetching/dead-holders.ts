/**
 * Frees the locks of processes of this machine that have ended, so that their work need not wait for the end of the
 * locks (docs/decisions/crashes.md). A process looks at its first search for work, and then twice a second.
 *
 * - dead-holders.DH1: Only a process that has ended for sure is dead (`Processes`). A lock of any other process ends by
 *   its time.
 * - dead-holders.DH2: A freed lock is one whose time is over: only the time of a row changes. Tags, tokens and attempts
 *   stay, so the next fetch counts the attempt as after any expired lock.
 * - dead-holders.DH3: The row of a dead process is deleted in the transaction that frees its locks.
 */
import { hasPassed, type Processes, type ProcessIdentity, secretsOf } from "@duroxide-ts/core/stores";
import type { LockHolder } from "../commit/lock-holder.ts";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { WITH_PINS } from "./pinned-versions.ts";

const LOOK_AGAIN_MS = 500;

/** Locks beyond it end by their time. So the timers of months are not walked over. */
const HORIZON_MS = 3_600_000;

const OF_SPACE = "SELECT space, holder, pid, began FROM lock_holders WHERE space = ?";

const DELETE = "DELETE FROM lock_holders WHERE space = ? AND holder = ?";

/** One range of the index for each pinned version, of which there are few. */
const FREE_INSTANCES = `${WITH_PINS}
  UPDATE instances SET due_at = ?1 WHERE instance_key IN (
    SELECT i.instance_key FROM pins JOIN instances AS i
      ON i.pinned_version = pins.pin AND i.due_at > ?1 AND i.due_at <= ?2
    WHERE i.lock_token >= ?3 AND i.lock_token < ?4)`;

/** Activities with a limit give back their permits when they are found to be due (work/ready-activities.ts). */
const FREE_ACTIVITIES = `UPDATE worker_queue SET due_at = ?1
  WHERE due_at > 0 AND due_at > ?1 AND due_at <= ?2 AND lock_token >= ?3 AND lock_token < ?4`;

const FREE_SESSIONS = "UPDATE sessions SET locked_until = ?1 WHERE locked_until > ?1 AND holder = ?2";

interface HolderRow extends ProcessIdentity {
  readonly holder: string;
}

export class DeadHolders {
  readonly #own: LockHolder;
  readonly #processes: Processes;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #dead: readonly HolderRow[] = [];

  constructor(own: LockHolder, processes: Processes) {
    this.#own = own;
    this.#processes = processes;
  }

  /** Whether there are locks to free. */
  look(db: Database, nowMs: number): boolean {
    const { self } = this.#own;
    if (self === undefined) return false;
    if (hasPassed(nowMs, this.#lookedMs, LOOK_AGAIN_MS)) {
      this.#lookedMs = nowMs;
      const rows = db.all<HolderRow>(OF_SPACE, self.identity.space);
      if (!rows.some(({ holder }) => holder === self.name)) this.#own.missing();
      const others = rows.filter(({ holder }) => holder !== self.name);
      this.#dead = others.filter((row) => this.#processes.hasEnded(row));
    }
    return this.#dead.length > 0;
  }

  free(tx: Transaction): void {
    if (!this.look(tx.db, tx.nowMs)) return;
    for (const { space, holder } of this.#dead) {
      const { from, below } = secretsOf(holder);
      const untilMs = tx.nowMs + HORIZON_MS;
      tx.db.run(FREE_INSTANCES, tx.nowMs, untilMs, from, below);
      tx.db.run(FREE_ACTIVITIES, tx.nowMs, untilMs, from, below);
      tx.db.run(FREE_SESSIONS, tx.nowMs, holder);
      tx.db.run(DELETE, space, holder);
    }
    tx.effects.orchestrations.add(tx.nowMs);
    tx.effects.activities.add(tx.nowMs);
  }

  /** Called when what `free` has done is stored. */
  committed(): void {
    this.#dead = [];
  }
}
