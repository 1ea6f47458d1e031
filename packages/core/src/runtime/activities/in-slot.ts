/** Calls a handler in its slot of a rate (docs/decisions/limits.md). */
import { type Clock, sleep } from "../../contract/clock.ts";

/** Resolves with `otherwise` where no slot comes soon. Nothing is awaited between the slot and the call. */
export async function inSlot<T>(
  clock: Clock,
  begin: () => number | undefined | Promise<number | undefined>,
  call: () => Promise<T>,
  otherwise: T,
): Promise<T> {
  for (let asked = begin(); asked !== 0; asked = begin()) {
    const waitMs = await asked;
    if (waitMs === undefined) return otherwise;
    await sleep(clock, waitMs);
  }
  return call();
}
