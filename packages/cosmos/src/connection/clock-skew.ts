/**
 * Whether this machine's clock and the service's agree. Leases and timers of all processes are compared by the clocks of
 * the processes. The lock of a turn lasts 5 s, so a few seconds make a process take running turns as expired.
 *
 * CS1. Nothing is told that may be a slow answer: the difference that counts is the least one that fits the time between
 *      request and answer, and the second that the service names.
 * CS2. A difference of 2 s is told of at the first look. One of more than 1 s may be told of too, since the service
 *      names whole seconds.
 * CS3. A clock may go wrong later: an answer is looked at once a minute, and the warning is repeated once an hour.
 */
import { systemClock } from "@duroxide-ts/core";
import type { Settings } from "./options.ts";
import { serverTimeIn } from "./sdk-errors.ts";

const TOLERATED_MS = 1_000;
const LOOK_EVERY_MS = 60_000;
const TELL_EVERY_MS = 3_600_000;

/** When a request was sent and its answer was there, by our clock, ms since the epoch. */
export interface Exchange {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** Positive when ours is ahead; 0 when nobody answered, or when our clock is not meant to be that of the world. */
export function skewMs({ clock }: Settings, headers: unknown, exchange?: Exchange): number {
  const serverTimeMs = serverTimeIn(headers);
  if (clock !== systemClock || serverTimeMs === undefined) return 0;
  const { sentMs, answeredMs } = exchange ?? { sentMs: clock.now(), answeredMs: clock.now() };
  return leastSkewMs({ sentMs, answeredMs }, serverTimeMs);
}

/** Of those that fit (CS1), the one that is nearest to 0. */
export function leastSkewMs({ sentMs, answeredMs }: Exchange, serverTimeMs: number): number {
  const ahead = sentMs - (serverTimeMs + 999);
  const behind = answeredMs - serverTimeMs;
  return ahead > 0 ? ahead : behind < 0 ? behind : 0;
}

/** A warning when they differ by more than is tolerated. */
export function clockWarning(ms: number): string[] {
  if (Math.abs(ms) <= TOLERATED_MS) return [];
  return [
    `${clockDifference(ms)}: locks expire early or late, and timers fire at the wrong time. Set the clock`,
  ];
}

export function clockDifference(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  const unit = seconds === 1 ? "second" : "seconds";
  return `this machine's clock is ${seconds} ${unit} ${ms > 0 ? "ahead of" : "behind"} the service's`;
}

/** Looks at answers now and then (CS3). */
export class ClockWatch {
  readonly #settings: Settings;
  #nextLookMs: number;
  #nextTellMs = Number.NEGATIVE_INFINITY;

  /** The answers of the first minute are those to the one who connects, who looks at them. */
  constructor(settings: Settings) {
    this.#settings = settings;
    this.#nextLookMs = settings.clock.now() + LOOK_EVERY_MS;
  }

  /** A request of each minute is worth a look; the others cost a comparison. */
  saw(exchange: Exchange, headers: unknown): void {
    const { answeredMs } = exchange;
    // A clock that was set back must not put the next look off.
    if (answeredMs < this.#nextLookMs && answeredMs > this.#nextLookMs - 2 * LOOK_EVERY_MS) return;
    this.#nextLookMs = answeredMs + LOOK_EVERY_MS;
    const [warning] = clockWarning(skewMs(this.#settings, headers, exchange));
    if (warning === undefined) this.#nextTellMs = Number.NEGATIVE_INFINITY;
    else if (answeredMs >= this.#nextTellMs) {
      this.#nextTellMs = answeredMs + TELL_EVERY_MS;
      this.#settings.onWarning(warning, {});
    }
  }
}
