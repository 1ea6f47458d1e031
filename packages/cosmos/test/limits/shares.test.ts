/** The arithmetic of shares: in no order of requests do processes have more permits than the rule allows. */
import { expect, it } from "vitest";
import { runs, SEED } from "../../../../test/support/effort.ts";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import type { Use } from "../../src/documents/limit-documents.ts";
import { divided, freeIn } from "../../src/limits/shares.ts";
import { SHARE_SKEW_MS } from "../../src/memory/waits.ts";

it("shares that have not ended are never more than the limit, and what is wanted is used", () => {
  const random = new SeededRandom(SEED);
  const upTo = (most: number): number => Math.floor(random.next() * (most + 1));
  for (let run = 0; run < runs(1_000); run++) {
    const concurrency = 1 + upTo(9);
    const processes = ["a", "b", "c", "d"].slice(0, 1 + upTo(3));
    const most = new Map<string, number>();
    const running = new Map<string, number>();
    let use: Use = { shares: {} };
    let nowMs = 1_000_000;
    for (let step = 0; step < 60; step++) {
      nowMs += upTo(4_000);
      const process = processes[upTo(processes.length - 1)] ?? "a";
      // What a process ran has ended with its share.
      const old = use.shares[process];
      if (old === undefined || old.untilMs <= nowMs) running.set(process, 0);
      const runsNow = running.get(process) ?? 0;
      const lockedUntilMs = nowMs + 10_000;
      const wants = runsNow + upTo(5);
      const next = divided(use, concurrency, { process, running: runsNow, wants, lockedUntilMs, nowMs });
      ({ use } = next);
      most.set(process, next.most);
      running.set(process, Math.max(0, Math.min(next.most, wants) - upTo(2)));
      const alive = Object.values(use.shares).filter(({ untilMs }) => untilMs + SHARE_SKEW_MS > nowMs);
      expect(alive.reduce((sum, { permits }) => sum + permits, 0)).toBeLessThanOrEqual(concurrency);
    }
  }
});

it("processes that want more than there is come to the same part", () => {
  let use: Use = { shares: {} };
  const running: Record<string, number> = {};
  for (let round = 0; round < 20; round++) {
    for (const process of ["a", "b", "c"]) {
      const demand = {
        process,
        running: running[process] ?? 0,
        wants: 9,
        lockedUntilMs: 60_000,
        nowMs: 1_000,
      };
      const { use: next, most } = divided(use, 9, demand);
      use = next;
      // One ends between two requests.
      running[process] = Math.max(0, Math.min(most, (running[process] ?? 0) + 9) - 1);
    }
  }
  expect(Object.values(use.shares).map(({ permits }) => permits)).toEqual([3, 3, 3]);
});

it("a share of another process counts until it has ended by any clock (shares.S1)", () => {
  const untilMs = 1_000_000;
  const use: Use = { shares: { other: { permits: 2, wants: 2, untilMs } } };
  const demand = { process: "own", running: 0, wants: 2, lockedUntilMs: untilMs + 60_000 };
  const mostAt = (nowMs: number): number => divided(use, 2, { ...demand, nowMs }).most;
  const lastMs = untilMs + SHARE_SKEW_MS - 1;
  expect([mostAt(lastMs), freeIn(use, 2, lastMs)]).toEqual([0, 0]);
  expect([mostAt(lastMs + 1), freeIn(use, 2, lastMs + 1)]).toEqual([2, 2]);
});
