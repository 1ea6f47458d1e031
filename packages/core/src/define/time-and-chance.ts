/** Time and chance of orchestration code, which are the same in every replay. */
import type { CallOptions } from "./durable-call-options.ts";
import type { Task } from "./task.ts";

/** The calls that give times, numbers and ids. */
export interface TimeAndChance {
  /**
   * The timestamp of the event that set this code going, ms since the epoch. Writes no event.
   *
   * @example
   * ```ts
   * const dueMs = ctx.now() + 86_400_000; // the same in each replay
   * ```
   */
  now(): number;
  /**
   * Uniform in [0, 1), from a generator seeded by instance and execution. Writes no event.
   *
   * @example
   * ```ts
   * const isChosen = ctx.random() < 0.1; // the same in each replay
   * ```
   */
  random(): number;
  /**
   * The worker's clock when asked, ms since the epoch; recorded as a system call.
   *
   * @example
   * ```ts
   * const nowMs = await ctx.utcNow();
   * ```
   */
  utcNow(options?: CallOptions): Task<number>;
  /**
   * A random UUID, recorded as a system call.
   *
   * @example
   * ```ts
   * const receiptId = await ctx.newGuid();
   * ```
   */
  newGuid(options?: CallOptions): Task<string>;
  /**
   * Runs code that the orchestration cannot change, such as a library: until its function settles, `Date.now()`,
   * `new Date()` and `performance.now()` give `ctx.now()`, and `Math.random()`, `crypto.randomUUID()` and
   * `crypto.getRandomValues()` give numbers of `ctx.random()`. What the guard finds beside them, such as timers and
   * `fetch`, stays refused, and a refused call rejects the result, even if the code catches its error. Durable calls are
   * allowed. With `determinismGuard: "off"` nothing is answered or refused.
   *
   * @example
   * ```ts
   * const stamp = await ctx.deterministic(() => `${new Date().toISOString()} ${crypto.randomUUID()}`);
   * ```
   */
  deterministic<T>(run: () => T | PromiseLike<T>): Promise<T>;
}
