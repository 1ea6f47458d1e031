/** Delays between attempts, against what the Rust implementation computes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Backoff, backoffDelayMs } from "../../src/define/retry.ts";

interface Vector {
  readonly strategy: string;
  /** Pauses after the first failure, the second, … */
  readonly delaysMs: readonly number[];
}

const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, "../vectors/backoff.json"), "utf8"),
) as readonly Vector[];

const STRATEGIES: Readonly<Record<string, Backoff>> = {
  None: { kind: "none" },
  "Fixed 250ms": { kind: "fixed", delay: 250 },
  "Linear base=100ms max=350ms": { kind: "linear", base: 100, max: 350 },
  "Exponential default base=100ms x2 max=30s": { kind: "exponential", max: 30_000 },
  "Exponential base=10ms x1.5 max=1s": { kind: "exponential", base: 10, multiplier: 1.5, max: 1_000 },
};

describe("a backoff", () => {
  it.each(vectors)("waits as long as the Rust runtime: $strategy", ({ strategy, delaysMs }) => {
    expect(STRATEGIES).toHaveProperty(strategy);
    const ours = delaysMs.map((_, index) => backoffDelayMs(STRATEGIES[strategy], index + 1));
    expect(ours).toEqual(delaysMs);
  });

  it("is by default that of Rust, with a maximum of ten minutes", () => {
    expect([1, 2, 3, 9, 14].map((n) => backoffDelayMs(undefined, n))).toEqual([
      100, 200, 400, 25_600, 600_000,
    ]);
  });

  it("stays at its maximum however many attempts have failed", () => {
    expect(backoffDelayMs({ kind: "exponential" }, 100_000)).toBe(600_000);
    expect(backoffDelayMs({ kind: "linear", base: { seconds: 1 }, max: { minutes: 1 } }, 1e9)).toBe(60_000);
  });

  it("from zero stays at zero", () => {
    expect(backoffDelayMs({ kind: "exponential", base: 0 }, 5_000)).toBe(0);
    expect(backoffDelayMs({ kind: "linear", base: 0, max: 100 }, 5)).toBe(0);
    expect(backoffDelayMs({ kind: "fixed", delay: 0 }, 5)).toBe(0);
  });
});
