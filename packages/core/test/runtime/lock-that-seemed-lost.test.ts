/** A renewal is refused although the lock is held, as when the clock of a machine is set forward and back again. */
import { activity, ProviderError, Runtime, silentLogger, sleep } from "@duroxide-ts/core";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, test } from "vitest";
import { activityItem } from "../support/work-items.ts";

class RefusingOnce extends MemoryProvider {
  #refuses = true;

  override async renewWorkItemLock(...args: Parameters<MemoryProvider["renewWorkItemLock"]>): Promise<void> {
    if (this.#refuses) {
      this.#refuses = false;
      throw new ProviderError({
        code: "lock-lost",
        operation: "renewWorkItemLock",
        message: "the lock is lost",
      });
    }
    await super.renewWorkItemLock(...args);
  }
}

test("an activity whose lock seemed lost runs again", async () => {
  const clock = new VirtualClock();
  await using provider = new RefusingOnce({ clock });
  const ends: string[] = [];
  const work = activity("work", async ({ attempt, signal }) => {
    if (attempt === 1) await sleep(clock, 300_000, signal).catch(() => {});
    ends.push(signal.aborted ? "asked to stop" : "completed");
  });
  await provider.enqueueForWorker(activityItem());
  await using runtime = await Runtime.start({
    provider,
    clock,
    activities: [work],
    reportWorker: false,
    logger: silentLogger,
  });
  await clock.advance(120_000);
  const ended = runtime.shutdown();
  await clock.advance(60_000);
  await ended;
  expect(ends).toEqual(["asked to stop", "completed"]);
});
