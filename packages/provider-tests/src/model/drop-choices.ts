/** Timers that a random turn drops: queued ones, and one that no queue has. */
import type { TimerId } from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import type { Situation } from "./situation.ts";

/** A place among the queued timers; none there means an unknown timer. */
export const aDrop: Arbitrary<number> = fc.nat(3);

export function droppedOf(
  situation: Situation,
  instanceId: string,
  places: readonly number[],
): readonly TimerId[] {
  const queued = situation.timersOf(instanceId);
  return places.map((place) => queued[place] ?? { executionId: 1, timerId: 77, fireAtMs: 77 });
}
