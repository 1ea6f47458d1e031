/** Timers that a random turn drops: queued ones, and one that no queue has. */
import { type TimerId, timerIdOf } from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import type { Situation } from "./situation.ts";

/** A place among the queued timers; none there means an unknown timer. */
export const aDrop: Arbitrary<number> = fc.nat(3);

export function droppedOf(
  { state }: Situation,
  instanceId: string,
  places: readonly number[],
): readonly TimerId[] {
  const queued = state.messages.flatMap((message) =>
    message.instanceId === instanceId ? (timerIdOf(message.item) ?? []) : [],
  );
  return places.map((place) => queued[place] ?? { executionId: 1, timerId: 77, fireAtMs: 77 });
}
