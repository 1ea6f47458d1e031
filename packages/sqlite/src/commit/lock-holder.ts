/**
 * This process as the holder of locks: a row that says which process it is, and the digits with which the secrets of its
 * locks begin (docs/decisions/crashes.md).
 *
 * - lock-holder.LH1: The row is stored in the transaction of the first lock, so no lock of a process that died is without
 *   it, and a process that locks nothing writes nothing. All stores of a process on a file have the same row.
 */
import { holderOf, type Processes, type ProcessIdentity } from "@duroxide-ts/core/stores";
import type { Effects } from "./effects.ts";
import type { Transaction } from "./transaction.ts";

const ADD = `INSERT INTO lock_holders (space, holder, pid, began, added_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (space, holder) DO UPDATE SET added_at = excluded.added_at`;

/** Rows of other machines and boots, which nobody here can judge. A process that still lives adds its own again. */
const FORGET_OLD = "DELETE FROM lock_holders WHERE added_at < ?";
const OLD_MS = 86_400_000;

interface Named {
  readonly identity: ProcessIdentity;
  readonly name: string;
}

export class LockHolder {
  readonly #processes: Processes | undefined;
  /** Asked for when it is needed, because a process that locks nothing need not know. */
  #self: Named | "none" | undefined;
  #isStored = false;

  /** Makes a holder. Without processes, or where this one is not known, its locks end by their time only. */
  constructor(processes: Processes | undefined) {
    this.#processes = processes;
  }

  get self(): Named | undefined {
    this.#self ??= named(this.#processes?.own());
    return this.#self === "none" ? undefined : this.#self;
  }

  /** The name, whose row is stored with the transaction at the latest (lock-holder.LH1). */
  nameIn({ db, effects, nowMs }: Pick<Transaction, "db" | "effects" | "nowMs">): string | null {
    const { self } = this;
    if (self === undefined) return null;
    if (this.#isStored || effects.holderAdded) return self.name;
    const { space, pid, began } = self.identity;
    db.run(FORGET_OLD, nowMs - OLD_MS);
    db.run(ADD, space, self.name, pid, began, nowMs);
    effects.holderAdded = true;
    return self.name;
  }

  committed({ holderAdded }: Effects): void {
    if (holderAdded) this.#isStored = true;
  }

  /** Called when the row is not there: the next lock stores it again. */
  missing(): void {
    this.#isStored = false;
  }
}

function named(identity: ProcessIdentity | undefined): Named | "none" {
  return identity === undefined ? "none" : { identity, name: holderOf(identity) };
}
