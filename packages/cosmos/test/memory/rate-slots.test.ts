/** The arithmetic of slots: in no order of reservations and begins has a period more begins than its rate. */
import { type LimitRule, slotMs } from "@duroxide-ts/core/stores";
import { expect, it } from "vitest";
import { runs, SEED } from "../../../../test/support/effort.ts";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import type { Use } from "../../src/documents/limit-documents.ts";
import { reserved } from "../../src/limits/shares.ts";
import { nextSlot, type Rate, type Slot, type Slots, withoutSlot } from "../../src/memory/rate-slots.ts";

const START_MS = 1_764_000_000_000;
const STEPS = 400;

function beginsOf(random: SeededRandom, rule: LimitRule, perMs: number): readonly number[] {
  const upTo = (most: number): number => Math.floor(random.next() * (most + 1));
  const everyMs = Math.ceil(slotMs(rule, perMs));
  let use: Use = { shares: {} };
  let nowMs = START_MS;
  /** Slots that each process has reserved. */
  const slots: (readonly Slots[])[] = [[], [], []];
  const taken: Slot[] = [];
  const begins: number[] = [];
  for (let step = 0; step < STEPS; step++) {
    nowMs += upTo(everyMs);
    const process = upTo(slots.length - 1);
    if (upTo(3) === 0) {
      const more = reserved(use, { rule, perMs }, 1 + upTo(5), nowMs + upTo(20));
      use = more.use;
      slots[process] = [...(slots[process] ?? []), more.slots];
    }
    const next = nextSlot({ rule, perMs, slots: slots[process] ?? [] }, nowMs + upTo(50));
    if (next !== undefined) {
      slots[process] = next.slots;
      taken.push(next.slot);
    }
    // Each begins at any time of its slot, or never.
    for (const slot of taken.splice(0)) {
      if (slot.untilMs < nowMs) continue;
      if (slot.fromMs <= nowMs && upTo(2) === 0) begins.push(nowMs);
      else taken.push(slot);
    }
  }
  return begins.sort((a, b) => a - b);
}

it("begins in slots of several processes are never more often than the rate, also with bursts", () => {
  const random = new SeededRandom(SEED);
  let most = 0;
  for (let run = 0; run < runs(1_000); run++) {
    const perMs = [100, 250, 1_000, 7_001][run % 4] ?? 0;
    const [max, burst] = [1 + Math.floor(random.next() * 7), 1 + Math.floor(random.next() * 4)];
    const begins = beginsOf(random, { rate: { max, burst, per: { ms: perMs } } }, perMs);
    begins.forEach((atMs, index) => {
      const inPeriod = begins.slice(index).filter((other) => other < atMs + perMs).length;
      expect(inPeriod, `of ${max} in ${perMs} ms, burst ${burst}`).toBeLessThanOrEqual(max + burst - 1);
      most = Math.max(most, inPeriod / (max + burst - 1));
    });
  }
  expect(most).toBe(1);
});

it("a slot that is returned is free again, and no other", () => {
  const rule: LimitRule = { rate: { max: 10, per: { seconds: 1 } } };
  const parts = [2, 3].map((count, n) =>
    reserved({ shares: {} }, { rule, perMs: 1_000 }, count, START_MS + n * 5_000),
  );
  const rate: Rate = { rule, perMs: 1_000, slots: parts.map(({ slots }) => slots) };
  const next = nextSlot(rate, START_MS);
  if (next === undefined) throw new Error("no slot is left");
  const taken = { ...rate, slots: next.slots };
  expect(withoutSlot(taken, next.slot)).toEqual(rate.slots);
  // One behind it was taken meanwhile.
  const later = nextSlot(taken, START_MS)?.slots ?? [];
  expect(withoutSlot({ ...rate, slots: later }, next.slot)).toEqual(later);
});
