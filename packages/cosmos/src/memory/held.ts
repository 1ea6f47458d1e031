/** The locks of this process, by the secrets of their tokens. */
import type { ProviderError } from "@duroxide-ts/core";
import type { Instance } from "../documents/instance.ts";
import type { ActivityRow, MessageRow } from "../documents/rows.ts";
import type { UnstoredStart } from "./unstored-start.ts";

/** A document that this process holds. Any other write of it changes its ETag. */
export interface HeldLease {
  /** The partition. */
  readonly instanceId: string;
  readonly secret: string;
  readonly lockedUntilMs: number;
}

/** An instance that this process holds, with its batch. */
export interface HeldTurn extends HeldLease {
  /** Instance as the lock wrote it, or would write it. */
  readonly instance: Instance;
  /** The taken messages, with this attempt counted. */
  readonly rows: readonly TakenRow[];
  /** Time at which the oldest of them became visible, ms since the epoch. */
  readonly waitingSinceMs: number;
  /** Why its commit was given up while its pieces were stored. It is not staged again under this lock. */
  readonly failure?: ProviderError;
}

/** The lock is in the instance document. */
export interface StoredTurn extends HeldTurn {
  readonly kind: "stored";
}

/** The lock is in memory only: the ETag keeps the turn from those of others (leases/remembered-turn.ts). */
export interface RememberedTurn extends HeldTurn {
  readonly kind: "remembered";
}

/** Neither the instance nor its start is stored: the commit of the turn creates both (leases/unborn-turn.ts). */
export interface UnbornTurn extends HeldTurn {
  readonly kind: "unborn";
  readonly start: UnstoredStart;
}

/** The field that says what the lock is, and what belongs to it. */
export type TurnKind =
  | Pick<StoredTurn, "kind">
  | Pick<RememberedTurn, "kind">
  | Pick<UnbornTurn, "kind" | "start">;

export type TurnLease = StoredTurn | RememberedTurn | UnbornTurn;

/** A message that the holder of a lock has taken. A lease that was found by its token has only the id. */
export interface TakenRow extends Pick<MessageRow, "id" | "attempts"> {}

/** A turn with the messages that it took. */
export interface LockedTurn {
  readonly turn: TurnLease;
  readonly rows: readonly MessageRow[];
}

/** A turn of an instance that was locked by its start: there may be messages that came before (fetching/read-first.ts). */
export interface UnreadTurn {
  readonly unread: TurnLease;
  readonly rows: readonly MessageRow[];
}

/** An activity that is locked. */
export interface ActivityLease extends HeldLease {
  /** Row as the lock wrote it. */
  readonly row: ActivityRow;
  /**
   * Whether the next activity may take the row over (commit.K7): `possible` while only writes under its ETag, all of this
   * process, have named it; `begun` when a commit does it. Absent where others may have named it.
   */
  readonly takeover?: "possible" | "begun" | undefined;
}

/** The part of a lock's time that must remain at its hand-over, because its end was fixed before the request. */
const LEAST_LEFT = 0.2;

/** Whether a fetch can use a lock: it still waits for work, and enough time remains to begin it. */
export function isFresh(
  { lockedUntilMs }: Pick<HeldLease, "lockedUntilMs">,
  { lockTimeoutMs, signal }: { readonly lockTimeoutMs: number; readonly signal?: AbortSignal | undefined },
  nowMs: number,
): boolean {
  return signal?.aborted !== true && lockedUntilMs - nowMs >= lockTimeoutMs * LEAST_LEFT;
}

export class Held<L extends HeldLease> {
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

  /** Deletes leases that ended before this time, because they will not be used again. */
  dropExpired(beforeMs: number): void {
    for (const [secret, { lockedUntilMs }] of this.#locks) {
      if (lockedUntilMs < beforeMs) this.delete(secret);
    }
  }
}

/** The turns of this process, and by instance those whose lock is in memory only. */
export class HeldTurns extends Held<TurnLease> {
  readonly #remembered = new Map<string, RememberedTurn>();

  /** A turn without a lock in the store, also one whose time is over; not one whose messages were locked since. */
  remembered(instanceId: string): RememberedTurn | undefined {
    return this.#remembered.get(instanceId);
  }

  override set(turn: TurnLease): void {
    super.set(turn);
    if (turn.kind === "remembered") this.#remembered.set(turn.instanceId, turn);
    else this.#remembered.delete(turn.instanceId);
  }

  override delete(secret: string): void {
    const turn = this.get(secret);
    super.delete(secret);
    if (turn !== undefined && this.#remembered.get(turn.instanceId) === turn)
      this.#remembered.delete(turn.instanceId);
  }
}
