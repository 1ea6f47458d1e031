/** Virtual time with an endpoint that is none of its own: the clock goes on when all requests are answered. */
import type { VirtualClock } from "@duroxide-ts/core/testing";

/** Requests without an answer. */
type Traffic = ReadonlySet<Promise<unknown>>;

/** Waits for the requests to which the present time leads. */
async function settle(clock: VirtualClock, traffic: Traffic): Promise<void> {
  await clock.settle();
  while (traffic.size > 0) {
    await Promise.allSettled(traffic);
    await clock.settle();
  }
}

/** Advances the clock from timer to timer, each after the requests to which the one before has led. */
export async function advance(clock: VirtualClock, ms: number, traffic: Traffic): Promise<void> {
  const endMs = clock.now() + ms;
  await settle(clock, traffic);
  while ((clock.nextDueMs ?? endMs) < endMs) {
    await clock.advance(Math.max(0, (clock.nextDueMs ?? endMs) - clock.now()));
    await settle(clock, traffic);
  }
  await clock.advance(endMs - clock.now());
  await settle(clock, traffic);
}

/** Advances the clock from timer to timer, for as long as the promise is pending. */
export async function advanceUntil<T>(
  clock: VirtualClock,
  traffic: Traffic,
  pending: Promise<T>,
): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  pending.then(over, over);
  for (await settle(clock, traffic); !isOver; await settle(clock, traffic))
    await clock.advance(Math.max(0, (clock.nextDueMs ?? clock.now()) - clock.now()));
  return pending;
}
