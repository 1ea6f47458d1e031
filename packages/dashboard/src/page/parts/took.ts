/** How long an instance has taken. */
import type { InstanceState } from "@duroxide-ts/core/operate";
import { serverNow } from "../browser/clock.ts";
import { ENDED_STATES } from "../shapes/states.ts";

interface Lived {
  readonly state: InstanceState;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Returns the duration in ms; so far, for one that goes on. */
export function tookMs({ state, createdAtMs, updatedAtMs }: Lived): number {
  return (hasEnded(state) ? updatedAtMs : serverNow()) - createdAtMs;
}

export function hasEnded(state: InstanceState): boolean {
  return ENDED_STATES.includes(state);
}
