/**
 * The overview is read once for all pages that show it, and kept for ten times as long as the reads took
 * (shared-overview.OV1; kept.KA1 and kept.KA2).
 */
import { systemClock } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it, vi } from "vitest";
import { asking } from "./support/asking.ts";

const TOOK_MS = 400;

function desk() {
  const time = { nowMs: 1_700_000_000_000 };
  const provider = new MemoryProvider();
  const reads = vi.spyOn(provider.admin, "getQueueDepths");
  reads.mockImplementation(async () => {
    time.nowMs += TOOK_MS;
    return { orchestratorQueue: 0, workerQueue: 0, timerQueue: 0, runningInstances: 0 };
  });
  const { get } = asking({ provider, clock: { ...systemClock, now: () => time.nowMs } });
  const overview = () => get("overview");
  return { time, reads, overview };
}

describe("the overview", () => {
  it("is read once for requests at the same time, and again after ten times as long as it took (kept.KA1, shared-overview.OV1)", async () => {
    const { time, reads, overview } = desk();
    const [first, second] = await Promise.all([overview(), overview()]);
    expect(await first.json()).toEqual(await second.json());
    time.nowMs += 10 * TOOK_MS - 1;
    const later = (await (await overview()).json()) as Record<string, unknown>;
    expect(later).toMatchObject({
      tookMs: TOOK_MS,
      asOfMs: time.nowMs - 10 * TOOK_MS + 1,
      nowMs: time.nowMs,
    });
    expect(reads).toHaveBeenCalledTimes(1);
    time.nowMs += 1;
    await overview();
    expect(reads).toHaveBeenCalledTimes(2);
  });

  it("is read again after a failure (kept.KA2)", async () => {
    const { reads, overview } = desk();
    reads.mockRejectedValueOnce(new Error("the store is down"));
    expect((await overview()).status).toBe(500);
    expect((await overview()).status).toBe(200);
  });
});
