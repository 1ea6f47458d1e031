/** Whether this machine's clock and the service's agree. Leases and timers of all processes are compared by them. */
import { systemClock } from "@duroxide-ts/core";
import type { Settings } from "./options.ts";
import { serverTimeIn } from "./sdk-errors.ts";

/** This much they may differ without waking anybody; the service's is known in whole seconds. */
const TOLERATED_MS = 30_000;

/** Positive when ours is ahead; 0 when nobody answered, or when our clock is not meant to be that of the world. */
export function skewMs({ clock }: Settings, headers: unknown): number {
  const serverTimeMs = serverTimeIn(headers);
  return clock !== systemClock || serverTimeMs === undefined ? 0 : clock.now() - serverTimeMs;
}

/** A warning when they differ by more than is tolerated. */
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
