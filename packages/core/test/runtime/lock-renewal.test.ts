/** The times at which locks are renewed, and at which they count as lost (lock-renewal.LR1 to lock-renewal.LR4). */
import { describe, expect, it } from "vitest";
import { sleep } from "../../src/contract/clock.ts";
import { ProviderError } from "../../src/contract/provider-error.ts";
import { isNearlyOver, LockRenewal } from "../../src/runtime/locks/lock-renewal.ts";
import { renewalIntervalMs } from "../../src/runtime/options/options.ts";
import { VirtualClock } from "../../src/testing/index.ts";

const busy = new ProviderError({ code: "unavailable", operation: "renew", message: "busy" });
const gone = new ProviderError({ code: "lock-lost", operation: "renew", message: "gone" });

/** Starts a renewal that records its times, in ms from the beginning; `fail` decides the outcome of each attempt. */
function renewal(
  timeoutMs: number,
  fail: (attempt: number) => Error | undefined = () => undefined,
  lockedUntilMs?: number,
  answerAfterMs = 0,
) {
  const clock = new VirtualClock(0);
  const renewedAtMs: number[] = [];
  const lost: { atMs: number; why: "gone" | "expired"; error: unknown }[] = [];
  const until = new AbortController();
  const lock = new LockRenewal({
    clock,
    timeoutMs,
    lockedUntilMs,
    until: until.signal,
    renew: async () => {
      renewedAtMs.push(clock.now());
      const error = fail(renewedAtMs.length);
      if (answerAfterMs > 0) await sleep(clock, answerAfterMs);
      if (error !== undefined) throw error;
    },
    onLost: (why, error) => lost.push({ atMs: clock.now(), why, error }),
  });
  return { clock, lock, lost, renewedAtMs, until };
}

describe("a lock", () => {
  it("is renewed at half its time", () => {
    expect(renewalIntervalMs(30_000)).toBe(15_000);
    expect(renewalIntervalMs(5_000)).toBe(2_500);
    expect(renewalIntervalMs(1)).toBe(1);
  });

  it("is renewed again and again until it is let go", async () => {
    const { clock, lock, renewedAtMs, lost } = renewal(30_000);
    await clock.advance(50_000);
    expect(renewedAtMs).toEqual([15_000, 30_000, 45_000]);
    expect(lock.holds).toBe(true);

    lock[Symbol.dispose]();
    await clock.advance(80_000);
    expect(renewedAtMs).toHaveLength(3);
    expect(lost).toEqual([]);
  });

  it("is renewed no more once its runtime has ended", async () => {
    const { clock, renewedAtMs, until, lost } = renewal(30_000);
    await clock.advance(20_000);
    until.abort();
    await clock.advance(80_000);

    expect(renewedAtMs).toEqual([15_000]);
    expect(lost).toEqual([]);
  });

  it("is tried again several times before its end while the store is busy (lock-renewal.LR2)", async () => {
    const { clock, lost, renewedAtMs } = renewal(30_000, (attempt) => (attempt <= 3 ? busy : undefined));
    await clock.advance(40_000);

    expect(renewedAtMs).toEqual([15_000, 18_000, 21_000, 24_000, 39_000]);
    expect(lost).toEqual([]);
  });

  it("is lost at its end, not before, when the store stays busy (lock-renewal.LR2, lock-renewal.LR3)", async () => {
    const { clock, lock, lost } = renewal(10_000, () => busy);
    await clock.advance(60_000);

    expect(lost).toEqual([{ atMs: 10_000, why: "expired", error: busy }]);
    expect(lock.holds).toBe(false);
  });

  it("is lost at once when the store says so (lock-renewal.LR2, lock-renewal.LR3)", async () => {
    const { clock, lost, renewedAtMs } = renewal(10_000, () => gone);
    await clock.advance(60_000);

    expect(lost).toEqual([{ atMs: 5_000, why: "gone", error: gone }]);
    expect(renewedAtMs).toEqual([5_000]);
  });

  it("survives faults of the store that are not about the lock, such as a full store (lock-renewal.LR2)", async () => {
    const full = new ProviderError({ code: "store-full", operation: "renew", message: "full" });
    const { clock, lock, lost } = renewal(10_000, (attempt) => (attempt === 1 ? full : undefined));
    await clock.advance(12_000);

    expect(lost).toEqual([]);
    expect(lock.holds).toBe(true);
  });

  it("that was partly over at its hand-out is renewed so much earlier", async () => {
    const { clock, renewedAtMs } = renewal(30_000, undefined, 22_000);
    await clock.advance(30_000);

    expect(renewedAtMs).toEqual([7_000, 22_000]);
  });

  it("is renewed at once after the process stood still, if a quarter of it is over (lock-renewal.LR4)", async () => {
    const { clock, lock, renewedAtMs } = renewal(30_000);
    await clock.advance(7_000);
    lock.renewIfStale();
    await clock.settle();
    expect(renewedAtMs).toEqual([]);

    await clock.advance(1_000);
    lock.renewIfStale();
    await clock.settle();
    expect(renewedAtMs).toEqual([8_000]);
    await clock.advance(15_000);
    expect(renewedAtMs).toEqual([8_000, 23_000]);
  });
});

describe("a renewal whose answer comes late", () => {
  const ANSWER_MS = 2_000;

  it("renews the lock from its request on (lock-renewal.LR1)", async () => {
    const { clock, lock } = renewal(
      30_000,
      (attempt) => (attempt > 1 ? busy : undefined),
      undefined,
      ANSWER_MS,
    );
    await clock.advance(15_000 + 30_000 - 1);
    expect(lock.holds).toBe(true);
    await clock.advance(1);
    expect(lock.holds).toBe(false);
  });

  it("is not repeated meanwhile, although the process stood still (lock-renewal.LR4)", async () => {
    const { clock, lock, renewedAtMs } = renewal(30_000, undefined, undefined, ANSWER_MS);
    await clock.advance(16_000);
    lock.renewIfStale();
    await clock.advance(17_000);
    expect(renewedAtMs).toEqual([15_000, 32_000]);
  });

  it("loses nothing when the work has ended meanwhile (lock-renewal.LR3)", async () => {
    const { clock, lock, lost } = renewal(30_000, () => gone, undefined, ANSWER_MS);
    await clock.advance(16_000);
    lock[Symbol.dispose]();
    await clock.advance(30_000);
    expect(lost).toEqual([]);
  });
});

describe("a lock that was just handed out", () => {
  it("is too short to begin under when less than a tenth of it is left", () => {
    const clock = new VirtualClock(1_000);
    expect(isNearlyOver(clock, undefined, 1_000)).toBe(false);
    expect(isNearlyOver(clock, 1_500, 1_000)).toBe(false);
    expect(isNearlyOver(clock, 1_099, 1_000)).toBe(true);
    expect(isNearlyOver(clock, 900, 1_000)).toBe(true);
  });
});
