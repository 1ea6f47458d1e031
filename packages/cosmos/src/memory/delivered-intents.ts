/**
 * Intents of starts that have arrived, and that are still stored. The next commit of their sender deletes them, which
 * is no request of its own (docs/decisions/cosmos-delivery.md).
 *
 * - delivered-intents.DI1: An intent is kept only where another commit of its sender is expected: its instance runs.
 *   What no commit has deleted soon gets a request. Until then it is younger than what a reconciler takes.
 * - delivered-intents.DI2: A commit that takes intents deletes them; if it stores nothing, they are kept again.
 * - delivered-intents.DI3: A process that dies leaves them to a reconciler: the receipt refuses a second delivery, and
 *   a reconciler of Rust, which knows no receipts, delivers a second start, which is ignored.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import { RIDE_MS } from "./waits.ts";

export interface TakenIntents extends Disposable {
  readonly ids: ReadonlySet<string>;
  /** A commit has deleted these of them. */
  deleted(ids: ReadonlySet<string>): void;
}

/** Deletes intents by a request of its own. Must not reject. */
type Remove = (source: string, ids: readonly string[]) => Promise<void>;

export class DeliveredIntents {
  readonly #clock: Clock;
  readonly #removeNow: Remove;
  /** How long an intent may wait for a commit. */
  readonly #waitMs: number;
  /** Intents by their senders, in the order of their arrival. */
  readonly #kept = new Map<string, { readonly ids: Set<string>; readonly sinceMs: number }>();
  #cancel: CancelTimer | undefined;
  readonly #removing = new Set<Promise<void>>();

  /** `ageMs`: how old an intent is that a reconciler takes. */
  constructor(clock: Clock, ageMs: number, removeNow: Remove) {
    this.#clock = clock;
    this.#removeNow = removeNow;
    this.#waitMs = Math.min(RIDE_MS, Math.floor(ageMs / 2));
  }

  keep(source: string, ids: Iterable<string>): void {
    const known = this.#kept.get(source);
    if (known === undefined) this.#kept.set(source, { ids: new Set(ids), sinceMs: this.#clock.now() });
    else for (const id of ids) known.ids.add(id);
    this.#schedule();
  }

  /**
   * Takes intents for a commit of the sender. Disposing keeps them again, unless they are deleted
   * (delivered-intents.DI2).
   */
  take(source: string): TakenIntents {
    const ids = this.#taken(source);
    let left = ids;
    return {
      ids,
      deleted(gone) {
        left = new Set([...ids].filter((id) => !gone.has(id)));
      },
      [Symbol.dispose]: () => {
        if (left.size > 0) this.keep(source, left);
      },
    };
  }

  /** Deletes those that are left. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#remove(Number.POSITIVE_INFINITY);
    await Promise.all(this.#removing);
  }

  #taken(source: string): ReadonlySet<string> {
    const { ids = NONE } = this.#kept.get(source) ?? {};
    this.#kept.delete(source);
    return ids;
  }

  #schedule(): void {
    const [oldest] = this.#kept.values();
    if (this.#cancel !== undefined || oldest === undefined) return;
    const clock = this.#clock;
    this.#cancel = clock.schedule(Math.max(0, oldest.sinceMs + this.#waitMs - clock.now()), () => {
      this.#cancel = undefined;
      this.#remove(clock.now() - this.#waitMs);
      this.#schedule();
    });
  }

  #remove(untilMs: number): void {
    const due = [...this.#kept].filter(([, { sinceMs }]) => sinceMs <= untilMs);
    for (const [source] of due) {
      const removal = this.#removeNow(source, [...this.#taken(source)]);
      this.#removing.add(removal);
      void removal.finally(() => this.#removing.delete(removal));
    }
  }
}

const NONE: ReadonlySet<string> = new Set();
