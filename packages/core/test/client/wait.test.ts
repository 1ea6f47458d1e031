/** The times at which a client reads again while it waits for a change (wait.WT1, wait.WT2). */
import { expect, it } from "vitest";
import { waitUntil } from "../../src/client/wait.ts";
import type { Provider } from "../../src/contract/provider.ts";
import { overriding } from "../../src/offload/overriding.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";

/** A store whose commits for any instance are those of the test. */
function watchedStore(clock: VirtualClock): { readonly watched: Provider; commit(): void } {
  let listens = (): void => {};
  const watched = overriding<Provider, Provider>(new MemoryProvider({ clock }), {
    watchInstance: (_instanceId, listener) => {
      listens = listener;
      return () => {};
    },
  });
  return { watched, commit: () => listens() };
}

/** The times of four reads, in ms from the beginning; `commitsIn`: the reads during which this process commits. */
async function looksAt(commitsIn: readonly number[]): Promise<readonly number[]> {
  const clock = new VirtualClock(0);
  const { watched, commit } = watchedStore(clock);
  const lookedAtMs: number[] = [];
  const waiting = waitUntil(watched, clock, "i", {}, async () => {
    const look = lookedAtMs.push(clock.now());
    if (commitsIn.includes(look)) commit();
    return look === 4 ? "found" : undefined;
  });
  await clock.advance(10_000);
  expect(await waiting).toBe("found");
  return lookedAtMs;
}

it("after growing pauses where no commit of its process ends them", async () => {
  expect(await looksAt([])).toEqual([0, 100, 300, 700]);
});

it("at once after a commit that came while it looked (wait.WT1)", async () => {
  expect((await looksAt([1])).slice(0, 2)).toEqual([0, 0]);
});

it("once after each commit, and then after a whole pause (wait.WT2)", async () => {
  expect(await looksAt([1])).toEqual([0, 0, 200, 600]);
});

it("soon where another process has ended the last wait, until a commit of its process ends one (wait-group.WG4)", async () => {
  const clock = new VirtualClock(0);
  const { watched, commit } = watchedStore(clock);
  /** The time of the second look, at which the wait ends, ms from its beginning. */
  const waitOnce = async (isTold: boolean): Promise<number> => {
    const sinceMs = clock.now();
    let looks = 0;
    const waiting = waitUntil(watched, clock, "i", {}, async () => {
      if (++looks === 2) return clock.now() - sinceMs;
      if (isTold) commit();
      return undefined;
    });
    await clock.advance(1_000);
    return waiting;
  };
  expect([await waitOnce(false), await waitOnce(false)]).toEqual([100, 5]);
  expect([await waitOnce(true), await waitOnce(false)]).toEqual([0, 100]);
});
