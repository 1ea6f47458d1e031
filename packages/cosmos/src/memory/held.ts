/** What this process has locked, by the secrets of the tokens. */
import type { Instance } from "../documents/instance.ts";
import type { ActivityRow, MessageRow } from "../documents/rows.ts";

/** A document that this process holds. Any other write of it changes its ETag. */
export interface Lease {
  /** The partition. */
  readonly instanceId: string;
  readonly secret: string;
  readonly lockedUntilMs: number;
}

/** An instance that is locked, and what its holder works on. */
export interface TurnLease extends Lease {
  /** As the lock wrote it. */
  readonly instance: Instance;
  /** What was taken, with this attempt counted. */
  readonly rows: readonly TakenRow[];
  /** When the oldest of them became visible, ms since the epoch. */
  readonly waitingSinceMs: number;
}

/** A message that the holder of a lock has taken. A holder that is found by its token knows the id only. */
export interface TakenRow extends Pick<MessageRow, "id" | "attempts"> {}

/** A lock with the messages that it took. */
export interface LockedTurn {
  readonly turn: TurnLease;
  readonly rows: readonly MessageRow[];
}

/** An activity that is locked. */
export interface ActivityLease extends Lease {
  /** As the lock wrote it. */
  readonly row: ActivityRow;
}

/** The part of a lock's time that must be left when it is handed out: its end was fixed before it was requested. */
const LEAST_LEFT = 0.2;

/** Whether enough is left of a lock to begin work under it. */
export function isFresh(
  { lockedUntilMs }: Pick<Lease, "lockedUntilMs">,
  { lockTimeoutMs }: { readonly lockTimeoutMs: number },
  nowMs: number,
): boolean {
  return lockedUntilMs - nowMs >= lockTimeoutMs * LEAST_LEFT;
}

export class Held<L extends Lease> {
  readonly #locks = new Map<string, L>();

  get(secret: string): L | undefined {
    return this.#locks.get(secret);
  }

  set(lock: L): void {
    this.#locks.set(lock.secret, lock);
  }

  delete(secret: string): void {
    this.#locks.delete(secret);
  }

  /** Leases that ended before the instant: they will not be used again. */
  dropExpired(beforeMs: number): void {
    for (const [secret, { lockedUntilMs }] of this.#locks) {
      if (lockedUntilMs < beforeMs) this.#locks.delete(secret);
    }
  }
}
