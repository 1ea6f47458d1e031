/**
 * How much of the suites runs that ask for a number of random cases. `npm test` runs a fifth of them, by a seed that it
 * prints, so that each run sees others; `npm run dev -- test:deep` runs them whole.
 */
import { crc32 } from "node:zlib";
import { SeededRandom } from "./seeded-random.ts";

const EFFORT = Number(process.env["TEST_EFFORT"] ?? 0.2);

/** Seed of this run of the tests. The same seed brings the same cases: `npm test -- --seed 7`. */
export const SEED: number = Number(process.env["TEST_SEED"] ?? 1);

/** How many cases to run where `all` are a thorough search. */
export function runs(all: number): number {
  return Math.ceil(all * EFFORT);
}

/** A part of the items, chosen by the seed, in their order; all of them in `npm run dev -- test:deep`. */
export function sample<Item>(items: readonly Item[]): readonly Item[] {
  const chosen = new Set(new SeededRandom(SEED).shuffled(items).slice(0, runs(items.length)));
  return items.filter((item) => chosen.has(item));
}

/** Returns a sample of items that take seconds each: a twentieth, and at least one. */
export function smallSample<Item>(items: readonly Item[]): readonly Item[] {
  const chosen = sample(items);
  return IS_DEEP ? chosen : new SeededRandom(SEED).shuffled(chosen).slice(0, Math.ceil(chosen.length / 4));
}

/** Whether one of many cases, which are not known together, is in the part that the seed chooses. */
export function isChosen(name: string, share: number = EFFORT): boolean {
  return IS_DEEP || new SeededRandom(SEED ^ crc32(name)).next() < share;
}

/** Whether the suites run whole. */
export const IS_DEEP: boolean = EFFORT >= 1;
