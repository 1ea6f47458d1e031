/**
 * Regions of orchestration code in which calls of libraries that differ from run to run are answered by the
 * orchestration: its time and its random numbers (docs/decisions/agents.md).
 *
 * - answers.A1: A call that has no answer throws, and from then on every checked call of its region throws the same
 *   error, and the region ends with it. Otherwise a library that catches errors would go on with a wrong value.
 * - answers.A2: A region ends when its function settles. What its function has left running is other code.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { shared } from "../host/shared.ts";

/** Source of the answers. */
export interface Answers {
  /** Ms since the epoch. */
  now(): number;
  /** Uniform in [0, 1). */
  random(): number;
}

/** One region while its function runs. */
export interface Region {
  readonly answers: Answers;
  isOpen: boolean;
  /** The error of the first call that has no answer. */
  refusal: Error | undefined;
}

/** One for all copies of this package in the process, like the replaced globals (patches.P1). */
const regions = shared("answered-regions.1", () => new AsyncLocalStorage<Region>());

/** Runs a function whose checked calls are answered. */
export async function answered<T>(answers: Answers, run: () => T | PromiseLike<T>): Promise<T> {
  const region: Region = { answers, isOpen: true, refusal: undefined };
  try {
    const result = await regions.run(region, run);
    if (region.refusal === undefined) return result;
  } catch (error) {
    if (region.refusal === undefined) throw error;
  } finally {
    region.isOpen = false;
  }
  throw region.refusal;
}

/** The region of the code that runs. */
export function openRegion(): Region | undefined {
  const region = regions.getStore();
  return region?.isOpen === true ? region : undefined;
}

/** Fills a view with random bytes, and returns it. */
export function fillRandom<T extends ArrayBufferView>(answers: Answers, view: T): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let index = 0; index < bytes.length; index++) bytes[index] = Math.trunc(answers.random() * 256);
  return view;
}
