/** The service does not answer: few requests while it lasts, and work goes on soon after it. */
import { sleep } from "@duroxide-ts/core";
import {
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  raised,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import type { Stage } from "../support/stage.ts";
import { partitionedStages, timed } from "./stage.ts";

const given = partitionedStages(10);

/** Duration on the virtual clock, ms. */
const OUTAGE_MS = IS_DEEP ? 60_000 : 15_000;

/** Calls the provider all the time, as a process with busy dispatchers and clients does. */
function keepAsking(stage: Stage): { readonly stop: () => Promise<void>; readonly found: string[] } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const found: string[] = [];
  const forEver = async (ask: () => Promise<string | undefined>): Promise<void> => {
    while (!signal.aborted) {
      const id = await ask().catch(() => undefined);
      if (id !== undefined) found.push(id);
      // As the runtime does where a store fails.
      await sleep(stage.clock, 200);
    }
  };
  const pollTimeoutMs = 5_000;
  const work = [
    ...[1, 2].map(() =>
      forEver(async () => (await fetchOrchestration(stage, { pollTimeoutMs, signal }))?.item.instanceId),
    ),
    ...[1, 2].map(() =>
      forEver(async () => (await fetchWork(stage, { pollTimeoutMs, signal }))?.item.instance),
    ),
    ...[1, 2, 3].map((n) =>
      forEver(async () => {
        await sleep(stage.clock, 100, signal);
        await stage.provider.getInstanceStatus(`i${n}`);
        return undefined;
      }),
    ),
  ];
  return {
    found,
    async stop() {
      stopping.abort();
      await Promise.all(work);
    },
  };
}

// outage.OU1
it("at most ten requests a second while it lasts, and work is found within two seconds after it", async () => {
  const { emulator, stage } = given();
  const sender = await stage.openAnother();
  await timed(stage, createInstance(stage, "i1"));
  await sender.provider.enqueueForOrchestrator(raised("i1", "event"));
  await sender.provider.enqueueForWorker(activity("i2", 1));
  await sender.provider.close();
  emulator.faults.add({ effect: { kind: "error", status: 503 } });
  const mark = emulator.requestLog.mark();
  const process = keepAsking(stage);
  const perSecond: number[] = [];
  let before = 0;
  for (let second = 0; second < OUTAGE_MS / 1_000; second++) {
    await timed(stage, sleep(stage.clock, 1_000));
    const { total } = emulator.requestLog.since(mark);
    perSecond.push(total.requests - before);
    before = total.requests;
  }
  expect(Math.max(...perSecond.slice(2))).toBeLessThanOrEqual(10);
  expect(before).toBeLessThanOrEqual((OUTAGE_MS / 1_000) * 10 + 20);
  emulator.faults.clear();
  await timed(stage, sleep(stage.clock, 2_000));
  expect(process.found.toSorted()).toEqual(["i1", "i2"]);
  await timed(stage, process.stop());
});
