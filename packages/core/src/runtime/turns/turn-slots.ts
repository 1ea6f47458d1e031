/**
 * Limits concurrent turns: those of the dispatcher's slots, and fused turns, which have no slot of their own.
 *
 * - turn-slots.TS1: A turn that leaves passes its place to the turn that has waited longest. So a place is never free
 *   while a turn waits, and no later turn gets one before it.
 */
import { invariant } from "../../errors/invariant.ts";

export class TurnSlots {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Turns that run. */
  get busy(): number {
    return this.#busy;
  }

  /** False if the limit is reached, or if other turns wait. */
  tryEnter(): boolean {
    if (this.#busy >= this.#limit) return false;
    this.#busy++;
    return true;
  }

  /** Resolves when the turn may run. Returns `undefined` if it may run at once. */
  enter(): Promise<void> | undefined {
    invariant(this.#waiting.length === 0 || this.#busy >= this.#limit, "turn-slots.TS1");
    if (this.tryEnter()) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy--;
    else next();
  }
}
