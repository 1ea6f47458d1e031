/** When locks are renewed, and when they count as lost. */
import { describe, expect, it } from "vitest";
import { ProviderError } from "../../src/contract/provider-error.ts";
import { LockRenewal, renewalIntervalMs } from "../../src/runtime/lock-renewal.ts";
import { VirtualClock } from "../../src/testing/index.ts";

const busy = new ProviderError({ code: "unavailable", operation: "renew", message: "busy" });
const gone = new ProviderError({ code: "lock-lost", operation: "renew", message: "gone" });

/** When it was renewed, in ms from the beginning; `fail` decides the outcome of each attempt. */
function renewal(
  timeoutMs: number,
  bufferMs: number,
  fail: (attempt: number) => Error | undefined = () => undefined,
) {
  const clock = new VirtualClock(0);
  const renewedAtMs: number[] = [];
  const lost: { atMs: number; error: unknown }[] = [];
  const until = new AbortController();
  const lock = new LockRenewal({
    clock,
    timeoutMs,
    bufferMs,
    until: until.signal,
    renew: async () => {
      renewedAtMs.push(clock.now());
      const error = fail(renewedAtMs.length);
      if (error !== undefined) throw error;
    },
    onLost: (error) => lost.push({ atMs: clock.now(), error }),
  });
  return { clock, lock, lost, renewedAtMs, until };
}

describe("a lock", () => {
  it("of 15 s or more is renewed a buffer before its end, a shorter one at half its time", () => {
    expect(renewalIntervalMs(30_000, 5_000)).toBe(25_000);
    expect(renewalIntervalMs(15_000, 5_000)).toBe(10_000);
    expect(renewalIntervalMs(5_000, 2_000)).toBe(2_500);
    expect(renewalIntervalMs(1_000, 5_000)).toBe(500);
    expect(renewalIntervalMs(20_000, 60_000)).toBe(1_000);
  });

  it("is renewed again and again until it is let go", async () => {
    const { clock, lock, renewedAtMs, lost } = renewal(30_000, 5_000);
    await clock.advance(80_000);
    expect(renewedAtMs).toEqual([25_000, 50_000, 75_000]);
    expect(lock.holds).toBe(true);

    lock[Symbol.dispose]();
    await clock.advance(80_000);
    expect(renewedAtMs).toHaveLength(3);
    expect(lost).toEqual([]);
  });

  it("is renewed no more once its runtime has ended", async () => {
    const { clock, renewedAtMs, until, lost } = renewal(30_000, 5_000);
    await clock.advance(30_000);
    until.abort();
    await clock.advance(80_000);

    expect(renewedAtMs).toEqual([25_000]);
    expect(lost).toEqual([]);
  });

  it("is tried again several times before its end while the store is busy", async () => {
    const { clock, lost, renewedAtMs } = renewal(30_000, 5_000, (attempt) =>
      attempt <= 3 ? busy : undefined,
    );
    await clock.advance(60_000);

    expect(renewedAtMs).toEqual([25_000, 26_000, 27_000, 28_000, 53_000]);
    expect(lost).toEqual([]);
  });

  it("is lost at its end, not before, when the store stays busy", async () => {
    const { clock, lock, lost } = renewal(10_000, 0, () => busy);
    await clock.advance(60_000);

    expect(lost).toEqual([{ atMs: 10_000, error: busy }]);
    expect(lock.holds).toBe(false);
  });

  it("is lost at once when the store says so", async () => {
    const { clock, lost, renewedAtMs } = renewal(10_000, 0, () => gone);
    await clock.advance(60_000);

    expect(lost).toEqual([{ atMs: 5_000, error: gone }]);
    expect(renewedAtMs).toEqual([5_000]);
  });
});
