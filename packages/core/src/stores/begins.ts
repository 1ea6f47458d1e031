/**
 * The begins of handlers under a rate (docs/decisions/limits.md). A store gives each begin a slot when it locks the work,
 * and the handler is called later.
 *
 * - begins.B1: Slots of a level are (period + lateness) / max apart, and a handler is called from its slot on, or as much
 *   earlier as a burst lets, and no later than the lateness after it. So no half-open period has more than max begins,
 *   with a burst no more than max + burst - 1, by the clocks of the handlers.
 */
import type { LimitRule } from "../contract/limits.ts";

const LATENESS = 0.04;
/** Short periods get more: a process does not call its handlers to the millisecond. */
const LEAST_MS = 20;
/** Long ones have as much as a slow process needs: a slot that is missed is lost, and the next one may be a day later. */
const MOST_MS = 5_000;
const MOST_OF_PERIOD = 0.2;

/** How late after its slot a handler may be called, ms. */
export function latenessMs(perMs: number): number {
  return Math.min(Math.max(LATENESS * perMs, LEAST_MS), MOST_MS, MOST_OF_PERIOD * perMs);
}

/** The time from one slot to the next, ms (begins.B1). */
export function slotMs({ rate }: LimitRule, perMs: number): number {
  return rate === undefined ? 0 : (perMs + latenessMs(perMs)) / rate.max;
}

/** How much earlier than its slot a handler may be called, ms. */
export function earlyMs(rule: LimitRule, perMs: number): number {
  return ((rule.rate?.burst ?? 1) - 1) * slotMs(rule, perMs);
}

/** The longest delay that is reckoned with, ms. */
const MOST_DELAY_MS = 3_000;
/** The part by which it falls while shorter ones are measured. */
const DECAY = 1 / 8;
/** The next one may be longer than all before, by a part and by some ms. */
const SPARE = 1.25;
const SPARE_MS = 5;

/** How long something takes in this process, measured again and again: rather too long than too short. */
export class Delay {
  #ms = 0;

  /** Takes one more measurement, in ms. */
  measured(ms: number): void {
    this.#ms = ms > this.#ms ? Math.min(ms, MOST_DELAY_MS) : this.#ms - (this.#ms - ms) * DECAY;
  }

  /** Ms. */
  get expectedMs(): number {
    return this.#ms === 0 ? 0 : this.#ms * SPARE + SPARE_MS;
  }
}
