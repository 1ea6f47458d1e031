/** No timer runs while no fetch waits, so a program ends when its runtime has been shut down. */
import { VirtualClock } from "@duroxide-ts/core/testing";
import { expect, test } from "vitest";
import { SqliteProvider } from "../src/index.ts";

test("aborted fetches leave no timer behind (wake-ups.U3)", async () => {
  const clock = new (class extends VirtualClock {
    armed = 0;
    override schedule(delayMs: number, callback: () => void): () => void {
      this.armed++;
      const cancel = super.schedule(delayMs, () => {
        this.armed--;
        callback();
      });
      let cancelled = false;
      return () => {
        if (!cancelled) this.armed--;
        cancelled = true;
        cancel();
      };
    }
  })();
  await using provider = await SqliteProvider.open(":memory:", { clock });
  const later = clock.now() + 60_000;
  await provider.enqueueForOrchestrator(
    { kind: "TimerFired", instance: "i", execution_id: 1, id: 2, fire_at_ms: later },
    60_000,
  );
  const stopping = new AbortController();
  const fetch = provider.fetchOrchestrationItem({
    lockTimeoutMs: 5_000,
    pollTimeoutMs: 30_000,
    signal: stopping.signal,
  });
  await clock.settle();
  expect(clock.armed).toBeGreaterThan(0);
  stopping.abort();
  expect(await fetch).toBeUndefined();
  await clock.settle();
  expect(clock.armed).toBe(0);
});
