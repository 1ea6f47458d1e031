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
 *   lock (`isUnread`).
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
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import { knowsOrchestration } from "../fetching/handler-reservation.ts";
import { isHeldBy, suits } from "../fetching/suits.ts";
import { unseenRows } from "../fetching/unseen-rows.ts";
import type { Reserved } from "../fetching/waiting-fetch.ts";
import { dropUnstored, undoTurn } from "../leases/give-back-turn.ts";
import { hold, type NewLock, newLock } from "../leases/new-lock.ts";
import type { LockedTurn } from "../memory/held.ts";
import type { KnownMessage } from "../memory/instances.ts";
import type { Memory } from "../memory/memory.ts";
import type { UnstoredStart } from "../memory/unstored-start.ts";
import type { Call, Service } from "../service/service.ts";

/** Disposing releases the fetch, unless the claim was won. */
export class TurnClaim implements Disposable {
  readonly lock: NewLock;
  /** The instance before the lock; undefined for a new one. */
  readonly instance: Instance | undefined;
  readonly #service: Service;
  readonly #memory: Memory;
  readonly #rows: readonly MessageRow[];
  readonly #reserved: Reserved<FetchOrchestrationOptions, LockedTurn>;
  #isOver = false;

  private constructor(
    service: Service,
    memory: Memory,
    reserved: Reserved<FetchOrchestrationOptions, LockedTurn>,
    { instanceId, instance, rows }: Locked,
  ) {
    this.#service = service;
    this.#memory = memory;
    this.#reserved = reserved;
    this.#rows = rows;
    this.instance = instance;
    const { lockTimeoutMs } = reserved.request;
    this.lock = newLock(service, { instanceId, instance, rows, isRead: false, lockTimeoutMs });
    invariant(!memory.turns.attempts.has(instanceId), "claim-turn.C2");
    memory.turns.attempts.begin(instanceId);
  }

  /** Undefined if no fetch waits for such an instance, or no turn may begin with these messages. */
  static of(
    service: Service,
    memory: Memory,
    queues: FetchQueues,
    { instanceId, instance, rows }: Claimable,
  ): TurnClaim | undefined {
    if (memory.turns.attempts.has(instanceId)) return undefined;
    // claim-turn.C3.
    const unseen = unseenRows(memory.instances.get(instanceId), rows, service.clock.now());
    if (unseen.length === 0) return undefined;
    // claim-turn.C5.
    const reserved = queues.turns.reserve(
      (request) => suits(instance, unseen, request) && !isHeldBy(request, instance),
    );
    if (reserved === undefined) return undefined;
    return new TurnClaim(service, memory, reserved, { instanceId, instance, rows: unseen });
  }

  /** Prepares the claim for a message that this process is about to write. */
  static forMessage(
    service: Service,
    memory: Memory,
    queues: FetchQueues,
    instanceId: string,
    row: MessageRow,
  ): TurnClaim | undefined {
    const known = memory.instances.get(instanceId);
    if (known === undefined && row.item.kind === "StartOrchestration")
      return TurnClaim.#first(service, memory, queues, instanceId, row);
    if (known?.instance === undefined) return undefined;
    const { instance, rows } = known;
    return TurnClaim.of(service, memory, queues, { instanceId, instance, rows: [...rows.values(), row] });
  }

  /**
   * Prepares the claim of an instance of which this process has read no document. Earlier messages are read under the
   * lock.
   */
  static #first(
    service: Service,
    memory: Memory,
    queues: FetchQueues,
    instanceId: string,
    row: MessageRow,
  ): TurnClaim | undefined {
    if (memory.turns.attempts.has(instanceId) || row.visibleAtMs > service.clock.now()) return undefined;
    const reserved = queues.turns.reserve((request) => knowsOrchestration(request, undefined, [row]));
    if (reserved === undefined) return undefined;
    return new TurnClaim(service, memory, reserved, { instanceId, instance: undefined, rows: [row] });
  }

  /** The lock is stored: `instance` is the document with it. */
  async won({ operation }: Call, instance: Instance): Promise<void> {
    invariant(!this.#isOver, "claim-turn.C1");
    const { instanceId } = this.lock;
    this.#isOver = true;
    this.#memory.turns.attempts.end(instanceId, true);
    for (const row of this.#rows) this.#memory.instances.wrote(instanceId, row);
    const turn = hold(this.#service, this.#memory, this.lock, instance);
    const isUnread = this.instance === undefined;
    if (this.#reserved.give({ turn, rows: this.#rows, ...(isUnread && { isUnread }) })) return;
    // claim-turn.C4.
    await undoTurn(this.#service, this.#memory, operation, turn);
  }

  /** The turn of a start that is not stored: its commit creates the instance. False where no fetch waits for it. */
  handOutUnstored(start: UnstoredStart): boolean {
    invariant(!this.#isOver, "claim-turn.C1");
    const { instanceId, body } = this.lock;
    this.#isOver = true;
    this.#memory.turns.attempts.end(instanceId, true);
    const instance = writtenInstance("handOutUnstored", instanceDocumentId(instanceId), body, undefined);
    const turn = hold(this.#service, this.#memory, this.lock, instance, { start });
    if (this.#reserved.give({ turn, rows: this.#rows, isUnread: true })) return true;
    dropUnstored(this.#service, this.#memory, turn);
    return false;
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#memory.turns.attempts.end(this.lock.instanceId, false);
    this.#reserved.release();
  }
}

export interface Claimable {
  readonly instanceId: string;
  /** The unlocked instance, as this process last read or wrote it. */
  readonly instance: Instance;
  readonly rows: readonly KnownMessage[];
}

type Locked = Omit<Claimable, "instance"> & Pick<TurnClaim, "instance">;
