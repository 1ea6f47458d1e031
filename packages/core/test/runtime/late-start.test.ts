/** A handler whose start waited for others is not called when the lock of its activity has ended meanwhile. */
import { expect, it } from "vitest";
import type { FetchedWork, FetchWorkOptions } from "../../src/contract/provider.ts";
import { activity, Client, orchestration, Runtime } from "../../src/index.ts";
import { MemoryProvider } from "../../src/testing/index.ts";

const LOCK_MS = 1_000;

// activity-dispatcher.D5
it("is not begun under a lock that ended while its start waited, and begins under the next one", async () => {
  let skewMs = 0;
  const began: { readonly n: number; readonly handOut: number }[] = [];
  const handOuts = new Map<string, number>();
  const clock = {
    now: () => Date.now() + skewMs,
    schedule: (delayMs: number, callback: () => void) => {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  };
  const work = activity("work", async (_ctx, n: number) => {
    began.push({ n, handOut: handOuts.get(String(n)) ?? 0 });
    if (began.length > 1) return n;
    // More than a round of starts may take, so that the second one waits for the next round.
    skewMs += 50;
    // Before that round begins, the process is blocked for longer than the lock.
    setImmediate(() => {
      skewMs += 10 * LOCK_MS;
    });
    return n;
  });
  const both = orchestration("both", async (ctx) =>
    ctx.all([ctx.scheduleActivity(work, 1), ctx.scheduleActivity(work, 2)]),
  );
  class CountingProvider extends MemoryProvider {
    override async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
      const fetched = await super.fetchWorkItem(options);
      if (fetched !== undefined)
        handOuts.set(fetched.item.input, (handOuts.get(fetched.item.input) ?? 0) + 1);
      return fetched;
    }
  }
  const provider = new CountingProvider({ clock });
  const runtime = await Runtime.start({
    provider,
    clock,
    activities: [work],
    orchestrations: [both],
    workerLockTimeoutMs: LOCK_MS,
  });
  const handle = await new Client(provider, { clock }).start(both, { instanceId: "i" });
  expect(await handle.result()).toEqual([1, 2]);
  expect(began).toEqual([
    { n: 1, handOut: 1 },
    { n: 2, handOut: 2 },
  ]);
  await runtime.shutdown();
});
