/**
 * The slots of activities whose handlers are about to be called (begins.B1 of core). The lock has taken a slot; a handler
 * that comes too late for it takes another one, in a transaction of its own, and waits for it.
 */
import { Delay, type FetchedWork } from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { opensAtMs, type Slot, spend } from "./permits.ts";

/** Work that has missed its slot waits no longer than this for another one under its lock, ms. */
const LONGEST_WAIT_MS = 1_000;

/** An activity with the slots that its lock has taken. */
export interface LockedWork extends FetchedWork {
  readonly slots?: readonly Slot[];
}

interface Storing {
  readonly clock: { now(): number };
  write<T>(name: string, operation: WriteOperation<T>): Promise<T>;
}

export class Begins {
  readonly #store: Storing;
  /** Time of the transaction. */
  readonly #taking = new Delay();

  constructor(store: Storing) {
    this.#store = store;
  }

  withBegin({ slots: taken = [], ...fetched }: LockedWork): FetchedWork {
    const { clock } = this.#store;
    const key = toText(fetched.item.limit ?? "");
    let slots = taken;
    const takeOthers = async (): Promise<number | undefined> => {
      const beganMs = clock.now();
      const taking = takeSlots(key, this.#taking.expectedMs);
      const others = await this.#store.write("fetchWorkItem", taking);
      this.#taking.measured(clock.now() - beganMs);
      slots = others ?? slots;
      return others && waitMs(others, clock.now());
    };
    const begin: FetchedWork["begin"] = () => {
      const nowMs = clock.now();
      return slots.some(({ untilMs }) => nowMs > untilMs) ? takeOthers() : waitMs(slots, nowMs);
    };
    return { ...fetched, begin };
  }
}

function waitMs(slots: readonly Slot[], nowMs: number): number {
  return Math.max(0, ...slots.map(({ fromMs }) => fromMs - nowMs));
}

/** `undefined` if the next ones do not come soon. `leadMs`: the time until the handler can be called. */
function takeSlots(key: string, leadMs: number): WriteOperation<readonly Slot[] | undefined> {
  return (tx: Transaction) => {
    const beginAtMs = tx.nowMs + leadMs;
    if (opensAtMs(tx.db, key) > beginAtMs + LONGEST_WAIT_MS) return undefined;
    return spend(tx, key, beginAtMs);
  };
}
