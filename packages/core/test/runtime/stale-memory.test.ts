/** An execution in the memory of one process, of which another process has committed turns meanwhile. */
import { expect, it } from "vitest";
import type { Provider } from "../../src/contract/provider.ts";
import { Client, orchestration, Runtime, silentLogger } from "../../src/index.ts";
import { overriding } from "../../src/offload/overriding.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";

/** The store as one process uses it. While it is paused, the process finds no turns. */
class PausableProcess {
  isPaused = false;
  /** Whether the store left out the history, for each fetched batch. */
  readonly omitted: boolean[] = [];
  readonly provider: Provider;

  constructor(store: MemoryProvider) {
    this.provider = overriding<Provider, Provider>(store, {
      fetchOrchestrationItem: async (options) => {
        if (this.isPaused) return undefined;
        const fetched = await store.fetchOrchestrationItem({ ...options, pollTimeoutMs: 0 });
        if (fetched !== undefined) this.omitted.push(fetched.item.historyOmitted === true);
        return fetched;
      },
    });
  }
}

const three = orchestration("three", async (ctx) => {
  const words: unknown[] = [];
  for (let n = 0; n < 3; n++) words.push(await ctx.dequeue("words"));
  return words;
});

// orchestration-dispatcher.O4
it("is not run: the next turn begins from the history that the store brings", async () => {
  const clock = new VirtualClock();
  await using store = new MemoryProvider({ clock });
  const [first, second] = [new PausableProcess(store), new PausableProcess(store)];
  second.isPaused = true;
  const options = {
    clock,
    orchestrations: [three],
    orchestrationConcurrency: 1,
    workerConcurrency: 0,
    reportWorker: false,
    logger: silentLogger,
  };
  await using _first = await Runtime.start({ ...options, provider: first.provider });
  await using _second = await Runtime.start({ ...options, provider: second.provider });
  const handle = await new Client(store, { clock }).start(three, { instanceId: "i" });
  await clock.advance(1_000);
  await handle.enqueue("words", "a");
  await clock.advance(1_000);

  first.isPaused = true;
  second.isPaused = false;
  await handle.enqueue("words", "b");
  await clock.advance(1_000);

  first.isPaused = false;
  second.isPaused = true;
  await handle.enqueue("words", "c");
  await clock.advance(1_000);

  expect(await handle.status()).toMatchObject({ status: "Completed", output: ["a", "b", "c"] });
  expect([first.omitted, second.omitted]).toEqual([[false, true, false], [false]]);
});
