/**
 * The lock of an instance, taken in passing by a write of its partition for a fetch that waits (docs/decisions/
 * 0014-claim-while-committing.md).
 */
import type { FetchOrchestrationOptions } from "@duroxide-ts/core/stores";
import type { Reserved } from "../fetching/place.ts";
import type { Call } from "../requests/call.ts";
import type { Instance } from "../schema/instance.ts";
import type { MessageRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";
import { undoTurn } from "../turn/give-back.ts";
import type { LockedTurn } from "../turn/held-turn.ts";
import { hold, type NewLock, newLock } from "../turn/new-lock.ts";
import { suits } from "../turn/suits.ts";
import { unseenRows } from "../turn/unseen-rows.ts";

/** Disposed of before it is won, it lets the fetch go. */
export class TurnClaim implements Disposable {
  readonly lock: NewLock;
  /** Before the lock. */
  readonly instance: Instance;
  readonly #store: Store;
  readonly #rows: readonly MessageRow[];
  readonly #reserved: Reserved<FetchOrchestrationOptions, LockedTurn>;
  #isOver = false;

  private constructor(
    store: Store,
    reserved: Reserved<FetchOrchestrationOptions, LockedTurn>,
    { instanceId, instance, rows }: Claimable,
  ) {
    this.#store = store;
    this.#reserved = reserved;
    this.#rows = rows;
    this.instance = instance;
    const { lockTimeoutMs } = reserved.request;
    this.lock = newLock(store, { instanceId, instance, rows, isRead: false, lockTimeoutMs });
    store.locking.begin(instanceId);
  }

  /** Nothing where no fetch waits for such an instance, or no turn may begin with these messages. */
  static of(store: Store, { instanceId, instance, rows }: Claimable): TurnClaim | undefined {
    if (store.locking.has(instanceId)) return undefined;
    const unseen = unseenRows(store.knowledge.get(instanceId), rows, store.clock.now());
    if (unseen.length === 0) return undefined;
    const reserved = store.turnsWanted.reserve((request) => suits(instance, request));
    if (reserved === undefined) return undefined;
    return new TurnClaim(store, reserved, { instanceId, instance, rows: unseen });
  }

  /** For a message that this process is about to write. */
  static forMessage(store: Store, instanceId: string, row: MessageRow): TurnClaim | undefined {
    const known = store.knowledge.get(instanceId);
    if (known?.instance === undefined) return undefined;
    const { instance, rows } = known;
    return TurnClaim.of(store, { instanceId, instance, rows: [...rows.values(), row] });
  }

  /** The lock is stored: `instance` is the document with it. */
  async won({ operation }: Call, instance: Instance): Promise<void> {
    const { instanceId } = this.lock;
    this.#isOver = true;
    this.#store.locking.end(instanceId, true);
    for (const row of this.#rows) this.#store.knowledge.wrote(instanceId, row);
    const turn = hold(this.#store, this.lock, instance);
    if (this.#reserved.give({ turn, rows: this.#rows })) return;
    await undoTurn(this.#store, operation, turn);
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#store.locking.end(this.lock.instanceId, false);
    this.#reserved.release();
  }
}

export interface Claimable {
  readonly instanceId: string;
  /** Unlocked, as it is believed to be stored. */
  readonly instance: Instance;
  readonly rows: readonly MessageRow[];
}
