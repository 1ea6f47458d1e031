/**
 * The lock of an instance that a write of its partition takes for a waiting fetch
 * (docs/decisions/cosmos-turns.md).
 *
 * - claim-turn.C1: A claim reserves one fetch that waits, before the write. From then on the fetch gets this turn or is
 *   released, so that no other write locks a second instance for it.
 * - claim-turn.C2: While a claim is open, the instance counts as an attempt under way: the agenda offers it to no other
 *   fetch.
 * - claim-turn.C3: Only messages whose order among others does not matter begin such a turn (fetching/unseen-rows.ts).
 *   The exception is a start of an instance that this process does not know: its fetch reads the partition under the
 *   lock (`UnreadTurn`), unless the id was drawn for the start.
 * - claim-turn.C4: A lock that was stored, but that its fetch no longer takes, is given back at once. Its attempt does
 *   not count.
 * - claim-turn.C5: A fetch that has the history in memory needs no lock, so that none is taken for it: with one a child
 *   costs 203 RU instead of 191. For the others a claim saves the request of the lock: five activities in sequence need
 *   17.4 with it and 22.2 without where executions are not in memory, and a continue-as-new one less.
 */
import type { FetchOrchestrationOptions } from "@duroxide-ts/core/stores";
import { invariant } from "@duroxide-ts/core/stores";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import { knowsOrchestration } from "../fetching/handler-reservation.ts";
import { isHeldBy, suits } from "../fetching/suits.ts";
import { unseenRows } from "../fetching/unseen-rows.ts";
import { undoLock } from "../leases/give-back-turn.ts";
import { hold, type NewLock, newLock } from "../leases/new-lock.ts";
import { dropUnborn } from "../leases/unborn-turn.ts";
import type { LockedTurn, TurnLease, UnreadTurn } from "../memory/held.ts";
import type { KnownMessage } from "../memory/instances.ts";
import type { Parts, Work } from "../memory/parts.ts";
import type { UnstoredStart } from "../memory/unstored-start.ts";
import type { Reserved } from "../memory/waiting-fetch.ts";

/** Disposing releases the fetch, unless the claim was won. */
export class TurnClaim implements Disposable {
  readonly lock: NewLock;
  /** The instance before the lock; undefined for a new one. */
  readonly instance: Instance | undefined;
  readonly #parts: Parts;
  readonly #rows: readonly MessageRow[];
  readonly #reserved: Reserved<FetchOrchestrationOptions, LockedTurn | UnreadTurn>;
  #isOver = false;

  private constructor(
    parts: Parts,
    reserved: Reserved<FetchOrchestrationOptions, LockedTurn | UnreadTurn>,
    { instanceId, instance, rows, isNewId = false }: Locked,
  ) {
    this.#parts = parts;
    this.#reserved = reserved;
    this.#rows = rows;
    this.instance = instance;
    const { lockTimeoutMs } = reserved.request;
    this.lock = newLock(parts, { instanceId, instance, rows, isRead: isNewId, lockTimeoutMs });
    invariant(!parts.memory.turns.attempts.has(instanceId), "claim-turn.C2");
    parts.memory.turns.attempts.begin(instanceId);
  }

  /** Undefined if no fetch waits for such an instance, or no turn may begin with these messages. */
  static of(parts: Parts, { instanceId, instance, rows }: Claimable): TurnClaim | undefined {
    if (parts.memory.turns.attempts.has(instanceId)) return undefined;
    // claim-turn.C3.
    const unseen = unseenRows(parts.memory.instances.get(instanceId), rows, parts.clock.now());
    if (unseen.length === 0) return undefined;
    // claim-turn.C5.
    const reserved = parts.memory.waitingForTurns.reserve(
      (request) => suits(instance, unseen, request) && !isHeldBy(request, instance),
    );
    if (reserved === undefined) return undefined;
    return new TurnClaim(parts, reserved, { instanceId, instance, rows: unseen });
  }

  /** Prepares the claim for a message that this process is about to write. `isNewId`: the id was drawn for it. */
  static forMessage(
    parts: Parts,
    instanceId: string,
    row: MessageRow,
    isNewId = false,
  ): TurnClaim | undefined {
    const known = parts.memory.instances.get(instanceId);
    if (known === undefined && row.item.kind === "StartOrchestration")
      return TurnClaim.#first(parts, instanceId, row, isNewId);
    if (known?.instance === undefined) return undefined;
    const { instance, rows } = known;
    return TurnClaim.of(parts, { instanceId, instance, rows: [...rows.values(), row] });
  }

  /**
   * Prepares the claim of an instance of which this process has read no document. Earlier messages are read under the
   * lock; where the id was drawn for the start, there are none.
   */
  static #first(parts: Parts, instanceId: string, row: MessageRow, isNewId: boolean): TurnClaim | undefined {
    if (parts.memory.turns.attempts.has(instanceId) || row.visibleAtMs > parts.clock.now()) return undefined;
    const reserved = parts.memory.waitingForTurns.reserve((request) =>
      knowsOrchestration(request, undefined, [row]),
    );
    if (reserved === undefined) return undefined;
    return new TurnClaim(parts, reserved, { instanceId, instance: undefined, rows: [row], isNewId });
  }

  /** The lock is stored: `instance` is the document with it. */
  async won(work: Work, instance: Instance): Promise<void> {
    invariant(!this.#isOver, "claim-turn.C1");
    const { instanceId } = this.lock;
    this.#isOver = true;
    this.#parts.memory.turns.attempts.end(instanceId, true);
    for (const row of this.#rows) this.#parts.memory.instances.wrote(instanceId, row);
    const turn = hold(work, this.lock, instance, { kind: "stored" });
    if (this.#reserved.give(this.#claimed(turn))) return;
    // claim-turn.C4.
    await undoLock(work, turn);
  }

  /** The turn of a start that is not stored: its commit creates the instance. False where no fetch waits for it. */
  handOutUnstored(start: UnstoredStart): boolean {
    invariant(!this.#isOver, "claim-turn.C1");
    const { instanceId, body } = this.lock;
    this.#isOver = true;
    this.#parts.memory.turns.attempts.end(instanceId, true);
    const instance = writtenInstance("handOutUnstored", instanceDocumentId(instanceId), body, undefined);
    const turn = hold(this.#parts, this.lock, instance, { kind: "unborn", start });
    if (this.#reserved.give(this.#claimed(turn))) return true;
    dropUnborn(this.#parts, turn);
    return false;
  }

  /** claim-turn.C3. */
  #claimed(turn: TurnLease): LockedTurn | UnreadTurn {
    const rows = this.#rows;
    return this.instance === undefined && !this.lock.isRead ? { unread: turn, rows } : { turn, rows };
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.memory.turns.attempts.end(this.lock.instanceId, false);
    this.#reserved.release();
  }
}

export interface Claimable {
  readonly instanceId: string;
  /** The unlocked instance, as this process last read or wrote it. */
  readonly instance: Instance;
  readonly rows: readonly KnownMessage[];
}

type Locked = Omit<Claimable, "instance"> & Pick<TurnClaim, "instance"> & { readonly isNewId?: boolean };
