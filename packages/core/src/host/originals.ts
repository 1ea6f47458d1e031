/**
 * Functions of Node as they were when the first copy of this package was loaded: fake timers of a test, and the
 * determinism guard, replace the globals later. All code of the packages takes them from here. Clients in browsers use
 * those of the browser.
 */
import { browserTimers, browserUuid, type Timers } from "./browser.ts";
import { builtin } from "./builtin.ts";
import { shared } from "./shared.ts";

const timers: Timers = builtin("node:timers") ?? browserTimers();

const originals = shared("originals.1", () => ({
  now: Date.now,
  monotonicMs: performance.now.bind(performance),
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  setImmediate: timers.setImmediate,
  nextTick: globalThis.process?.nextTick?.bind(process) ?? queueMicrotask,
  random: Math.random,
  randomUUID: crypto.randomUUID?.bind(crypto) ?? browserUuid,
  abortAfter: AbortSignal.timeout.bind(AbortSignal),
}));

export const now: typeof Date.now = originals.now;
/** Time since some fixed moment, ms, with fractions; it is never set back. */
export const monotonicMs: () => number = originals.monotonicMs;
export const setTimeout: typeof timers.setTimeout = originals.setTimeout;
export const clearTimeout: typeof timers.clearTimeout = originals.clearTimeout;
/** Calls back in the next round of the event loop. */
export const setImmediate: typeof timers.setImmediate = originals.setImmediate;
export const nextTick: typeof process.nextTick = originals.nextTick;
export const random: typeof Math.random = originals.random;
export const randomUUID: typeof crypto.randomUUID = originals.randomUUID;
/** A signal that aborts after so many ms. */
export const abortAfter: typeof AbortSignal.timeout = originals.abortAfter;

/** Resolves in the next round of the event loop. */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

const settled = Promise.resolve();

/** Calls `run` when the current call has ended. It must not throw. */
export function inMicrotask(run: () => void): void {
  void settled.then(run);
}

/** Calls `run` when the jobs that are queued, and those that they queue, have run: before the next timer or I/O. */
export function afterJobs(run: () => void): void {
  inMicrotask(() => void nextTick(run));
}
