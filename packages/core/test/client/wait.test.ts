/** The times at which a client reads again while it waits for a change (wait.WT1, wait.WT2). */
import { expect, it } from "vitest";
import { waitUntil } from "../../src/client/wait.ts";
import type { Provider } from "../../src/contract/provider.ts";
import { overriding } from "../../src/offload/overriding.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";

/** The times of four reads, in ms from the beginning; `commitsIn`: the reads during which this process commits. */
async function looksAt(commitsIn: readonly number[]): Promise<readonly number[]> {
  const clock = new VirtualClock(0);
  await using store = new MemoryProvider({ clock });
  let commit = (): void => {};
  const watched = overriding<Provider, Provider>(store, {
    watchInstance: (_instanceId, listener) => {
      commit = listener;
      return () => {};
    },
  });
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
