/**
 * The state of a failing store: one back-off that all slots of the runtime share, and a limited number of log entries.
 *
 * - store-health.S1: While fetches of one queue fail, one slot of that queue probes the store; all others wait, also
 *   those whose fetch was in flight. Otherwise several hundred slots would call a store that has just failed.
 * - store-health.S2: The pause doubles from FIRST_PAUSE_MS to LONGEST_PAUSE_MS, less a random part, so that processes
 *   that failed together do not retry together. One success ends it.
 * - store-health.S3: The log has one entry when the trouble begins, one a minute while it lasts, one when it ends.
 * - store-health.S4: Commits that fail delay fetches only from the second failure in a row: one turn that the store
 *   cannot commit is given back with a delay of its own and must not stop the others.
 */
import { type Clock, doubledMs, hasPassed, type Random, sleep } from "../../contract/clock.ts";
import { onAbort } from "../../contract/on-abort.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import type { Logger } from "../../define/logger.ts";
import type { StoreTrouble } from "../options/runtime-options.ts";

/** Kinds of calls of the runtime that may fail. */
export type StoreCalls = "orchestrations" | "activities" | "commits";

export interface StoreHealthOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly onStoreTrouble: (trouble: StoreTrouble) => void;
  /** Called when fetches of a queue begin to fail, to abort those that still wait in the store (store-health.S1). */
  readonly interruptFetches: () => void;
}

const FIRST_PAUSE_MS = 200;
export const LONGEST_PAUSE_MS = 2_000;
const REMINDER_MS = 60_000;
/** The pause is shortened by up to this part of it (store-health.S2). */
const JITTER = 0.25;

interface Trouble {
  readonly sinceMs: number;
  readonly failing: Map<StoreCalls, number>;
  failures: number;
  retryAtMs: number;
  toldAtMs: number;
  toldPermanent: boolean;
}

export class StoreHealth {
  readonly #options: StoreHealthOptions;
  readonly #probing = new Set<StoreCalls>();
  #trouble: Trouble | undefined;
  /** Settles when a probe or the whole trouble has ended, and when the runtime stops. */
  #changed: PromiseWithResolvers<void> | undefined;
  /** Settles when the pause before the next probe is over. */
  #paused: Promise<void> | undefined;

  constructor(options: StoreHealthOptions) {
    this.#options = options;
    onAbort(options.stopping, () => this.#notify());
  }

  /** Whether no kind of call is failing. */
  get good(): boolean {
    return this.#trouble === undefined;
  }

  /** How long a fetch may wait for work. A probe does not wait, so that its success is known at once. */
  pollTimeoutMs(calls: StoreCalls, usualMs: number): number {
    return this.#probing.has(calls) ? 0 : usualMs;
  }

  /** Waits until the caller may call the store, or until the runtime stops. */
  async ready(calls: StoreCalls): Promise<void> {
    const { clock, stopping } = this.#options;
    while (!stopping.aborted) {
      const trouble = this.#trouble;
      if (trouble === undefined || !holdsUp(trouble, calls)) return;
      const waitMs = trouble.retryAtMs - clock.now();
      if (waitMs > 0) await this.#pause(waitMs);
      else if (!trouble.failing.has(calls)) return;
      else if (this.#probing.has(calls)) {
        this.#changed ??= Promise.withResolvers();
        await this.#changed.promise;
      } else {
        this.#probing.add(calls);
        return;
      }
    }
  }

  /** Gives up the turn to call the store, after `ready`, for a caller that does not call it after all. */
  release(calls: StoreCalls): void {
    if (this.#probing.delete(calls)) this.#notify();
  }

  succeeded(calls: StoreCalls): void {
    const trouble = this.#trouble;
    if (trouble === undefined) return;
    this.#probing.delete(calls);
    trouble.failing.delete(calls);
    if (trouble.failing.size === 0) this.#end(trouble);
    this.#notify();
  }

  failed(calls: StoreCalls, error: unknown): void {
    const { clock, random, stopping } = this.#options;
    if (stopping.aborted && ProviderError.is(error) && error.code === "closed") return;
    const nowMs = clock.now();
    this.#trouble ??= {
      sinceMs: nowMs,
      failing: new Map(),
      failures: 0,
      retryAtMs: nowMs,
      toldAtMs: Number.NEGATIVE_INFINITY,
      toldPermanent: false,
    };
    const trouble = this.#trouble;
    this.#probing.delete(calls);
    const begins = !trouble.failing.has(calls);
    trouble.failing.set(calls, (trouble.failing.get(calls) ?? 0) + 1);
    // Failures of concurrent calls count as one.
    if (nowMs >= trouble.retryAtMs) {
      const pauseMs = doubledMs(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, trouble.failures++);
      trouble.retryAtMs = nowMs + Math.ceil(pauseMs * (1 - JITTER * random.next()));
    }
    this.#tell(trouble, error, nowMs);
    this.#notify();
    if (begins && calls !== "commits") this.#options.interruptFetches();
  }

  #tell(trouble: Trouble, error: unknown, nowMs: number): void {
    const permanent = isPermanent(error);
    const news = permanent && !trouble.toldPermanent;
    if (!news && !hasPassed(nowMs, trouble.toldAtMs, REMINDER_MS)) return;
    const { logger, onStoreTrouble } = this.#options;
    const { sinceMs, failing } = trouble;
    trouble.toldAtMs = nowMs;
    trouble.toldPermanent ||= permanent;
    const fields = {
      event: "store_trouble",
      permanent,
      since_ms: sinceMs,
      calls: [...failing.keys()],
      error,
    };
    if (permanent)
      logger.error(fields, "the store refuses calls permanently; check its key, address and state");
    else logger.warn(fields, "the store fails; the runtime retries, at most every few seconds");
    onStoreTrouble({ error, permanent, sinceMs });
  }

  #end({ sinceMs }: Trouble): void {
    const { clock, logger } = this.#options;
    this.#trouble = undefined;
    const lasted = clock.now() - sinceMs;
    logger.info({ event: "store_recovered", trouble_ms: lasted }, "the store answers again");
  }

  /** One timer for all slots. */
  #pause(waitMs: number): Promise<void> {
    const { clock, stopping } = this.#options;
    this.#paused ??= sleep(clock, waitMs, stopping).then(() => {
      this.#paused = undefined;
    });
    return this.#paused;
  }

  #notify(): void {
    this.#changed?.resolve();
    this.#changed = undefined;
  }
}

function holdsUp({ failing }: Trouble, calls: StoreCalls): boolean {
  return failing.has(calls) || (failing.get("commits") ?? 0) >= 2;
}

/** Only a ProviderError can be transient; any other error is a defect. A full store may get room at any time. */
function isPermanent(error: unknown): boolean {
  return !ProviderError.is(error) || (!error.retryable && error.code !== "store-full");
}
