/** Fetched work whose blobs cannot be read. */
import { expect, it } from "vitest";
import { BlobsInMemory } from "../../../../test/support/blobs-in-memory.ts";
import { silentLogger } from "../../src/define/logger.ts";
import { withOffload } from "../../src/offload/index.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";
import { activityItem, startItem } from "../support/work-items.ts";

const FETCH = { lockTimeoutMs: 1_000, pollTimeoutMs: 0 };
const LARGE = JSON.stringify("x".repeat(2_000));

it("is given back without an attempt, and fails no fetch (offloaded-fetches.OF1, offloaded-fetches.OF2)", async () => {
  const clock = new VirtualClock();
  const store = new BlobsInMemory();
  await using memory = new MemoryProvider({ clock });
  const provider = withOffload(memory, { store, aboveBytes: 1_000, clock, logger: silentLogger });
  await provider.enqueueForWorker(activityItem(LARGE));
  await provider.enqueueForOrchestrator(startItem("i", "o", LARGE));
  const fetchBoth = () =>
    Promise.all([
      provider.fetchWorkItem({ ...FETCH, tagFilter: { kind: "any" } }),
      provider.fetchOrchestrationItem(FETCH),
    ]);
  store.outage = new Error("connection refused");
  expect(await fetchBoth()).toEqual([undefined, undefined]);
  await clock.advance(1_000);
  store.outage = undefined;
  expect(await fetchBoth()).toMatchObject([{ attemptCount: 1 }, { attemptCount: 1 }]);
});
