/**
 * Compares this machine's clock with the clock of the service. Processes compare leases and timers with their own
 * clocks. The lock of a turn lasts 5 s, so with a difference of a few seconds a process takes running turns as expired.
 *
 * - clock-skew.CS1: A slow response causes no warning: the difference that counts is the least one that fits the time
 *   between request and response, and the second that the service reports.
 * - clock-skew.CS2: A difference of 2 s causes a warning at the first check. One of more than 1 s may cause one too,
 *   because the service reports whole seconds.
 * - clock-skew.CS3: A clock may become wrong later: one response a minute is checked, and the warning is repeated once
 *   an hour.
 */
import { systemClock } from "@duroxide-ts/core";
import { hasPassed } from "@duroxide-ts/core/stores";
import type { Settings } from "./options.ts";
import { serverTimeIn } from "./sdk-errors.ts";

const TOLERATED_MS = 1_000;
const LOOK_EVERY_MS = 60_000;
const TELL_EVERY_MS = 3_600_000;

/** Times at which a request was sent and its response arrived, by our clock, ms since the epoch. */
export interface Exchange {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** Positive if our clock is ahead; 0 without a response, and for a clock other than the system's. */
export function skewMs({ clock }: Settings, headers: unknown, exchange?: Exchange): number {
  const serverTimeMs = serverTimeIn(headers);
  if (clock !== systemClock || serverTimeMs === undefined) return 0;
  const { sentMs, answeredMs } = exchange ?? { sentMs: clock.now(), answeredMs: clock.now() };
  return leastSkewMs({ sentMs, answeredMs }, serverTimeMs);
}

/** The possible difference (clock-skew.CS1) that is nearest to 0. */
export function leastSkewMs({ sentMs, answeredMs }: Exchange, serverTimeMs: number): number {
  const ahead = sentMs - (serverTimeMs + 999);
  const behind = answeredMs - serverTimeMs;
  return ahead > 0 ? ahead : behind < 0 ? behind : 0;
}

/** A warning if the clocks differ by more than is tolerated. */
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

/** Checks responses at intervals (clock-skew.CS3). */
export class ClockWatch {
  readonly #settings: Settings;
  #lookedAtMs: number;
  #toldAtMs: number | undefined;

  /** Begins a minute later, because connecting checks its own responses. */
  constructor(settings: Settings) {
    this.#settings = settings;
    this.#lookedAtMs = settings.clock.now();
  }

  /** Checks one response of each minute; the others cost a comparison. */
  saw(exchange: Exchange, headers: unknown): void {
    const { answeredMs } = exchange;
    if (!hasPassed(answeredMs, this.#lookedAtMs, LOOK_EVERY_MS)) return;
    this.#lookedAtMs = answeredMs;
    const [warning] = clockWarning(skewMs(this.#settings, headers, exchange));
    if (warning === undefined) this.#toldAtMs = undefined;
    else if (this.#toldAtMs === undefined || hasPassed(answeredMs, this.#toldAtMs, TELL_EVERY_MS)) {
      this.#toldAtMs = answeredMs;
      this.#settings.onWarning(warning, { about: "clock" });
    }
  }
}
