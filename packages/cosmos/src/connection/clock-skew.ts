/** Compares this machine's clock with the service's, because leases and timers of all processes depend on them. */
import { systemClock } from "@duroxide-ts/core";
import type { Settings } from "./options.ts";
import { serverTimeIn } from "./sdk-errors.ts";

/** The difference that causes no warning; the service's time has whole seconds. */
const TOLERATED_MS = 30_000;

/** Positive if ours is ahead; 0 without a response, or with a test clock. */
export function skewMs({ clock }: Settings, headers: unknown): number {
  const serverTimeMs = serverTimeIn(headers);
  return clock !== systemClock || serverTimeMs === undefined ? 0 : clock.now() - serverTimeMs;
}

/** A warning if they differ by more than the tolerance. */
export function clockWarning(settings: Settings, headers: unknown): string[] {
  const ms = skewMs(settings, headers);
  if (Math.abs(ms) <= TOLERATED_MS) return [];
  return [
    `${clockDifference(ms)}: locks expire early or late, and timers fire at the wrong time. Set the clock`,
  ];
}

export function clockDifference(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  return `this machine's clock is ${seconds} seconds ${ms > 0 ? "ahead of" : "behind"} the service's`;
}
