/**
 * Notices that a runtime has nothing to do (docs/decisions/waiting.md): nothing is in hand, and the store has nothing
 * that is due for it.
 *
 * - idle-watch.IW1: The store is asked by fetches that do not wait, one for each queue, whose answer is complete. The
 *   waiting fetches of the slots tell nothing, because they may not have searched yet.
 * - idle-watch.IW2: The answer counts only if nothing was begun from before the question until a pause after it: what a
 *   slot took meanwhile may have caused more, and its fetch may have taken it before it returns.
 * - idle-watch.IW3: The store is asked when nothing was in hand after a pause, so that a runtime which is between two
 *   steps asks nothing. While the store fails, nothing is known to be done.
 */
import { type Clock, sleep } from "../contract/clock.ts";
import { onAbort } from "../contract/on-abort.ts";
import type { InHand } from "./running/in-hand.ts";
import type { LoneRuns } from "./trouble/lone-runs.ts";
import type { StoreCalls, StoreHealth } from "./trouble/store-health.ts";

/** Longer than the steps of a program lie apart in a process. */
const PAUSE_MS = 50;

export interface IdleWatchOptions {
  readonly clock: Clock;
  readonly health: StoreHealth;
  readonly loneRuns: LoneRuns;
  readonly inHand: InHand;
  readonly stopping: AbortSignal;
  /** Fetches that do not wait, each with the handling of what it finds; false if there was nothing. */
  readonly looks: readonly Look[];
}

export interface Look {
  readonly queue: Exclude<StoreCalls, "commits">;
  readonly work: () => Promise<boolean>;
}

export class IdleWatch {
  readonly #options: IdleWatchOptions;
  /** The look under way, with the handling of what it has found; whether it found nothing. */
  #look: Promise<boolean> | undefined;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
  }

  /** Resolves when nothing is due, when it is that time (ms since the epoch), or when the runtime is shut down. */
  async until(untilMs: number): Promise<"idle" | "time" | "shutdown"> {
    const { clock, stopping, inHand } = this.#options;
    for (;;) {
      const leftMs = untilMs - clock.now();
      if (stopping.aborted) return "shutdown";
      if (leftMs <= 0) return "time";
      await sleep(clock, Math.min(PAUSE_MS, leftMs), stopping);
      if (!this.#mayLook) continue;
      const { begun } = inHand;
      if (!(await this.#lookUntil(untilMs))) continue;
      await sleep(clock, PAUSE_MS, stopping);
      if (inHand.begun === begun && !stopping.aborted) return "idle";
    }
  }

  /** idle-watch.IW3. */
  get #mayLook(): boolean {
    const { health, loneRuns, inHand, stopping } = this.#options;
    return inHand.count === 0 && !loneRuns.closed && health.good && !stopping.aborted;
  }

  /** Looks until that time; what it finds is handled beyond it. */
  async #lookUntil(untilMs: number): Promise<boolean> {
    const { clock } = this.#options;
    this.#look ??= this.#lookOnce().finally(() => {
      this.#look = undefined;
    });
    const looked = new AbortController();
    const isOver = sleep(clock, untilMs - clock.now(), looked.signal).then(() => false);
    const result = await Promise.race([this.#look, isOver]);
    looked.abort();
    return result;
  }

  async #lookOnce(): Promise<boolean> {
    const found = await Promise.all(this.#options.looks.map((look) => this.#found(look)));
    return !found.includes(true);
  }

  /** Whether there may be something to do. */
  async #found({ queue, work }: Look): Promise<boolean> {
    const { loneRuns, health } = this.#options;
    loneRuns.enter();
    try {
      return await work();
    } catch (error) {
      health.failed(queue, error);
      return true;
    } finally {
      loneRuns.leave();
    }
  }

  /** Resolves when the runtime stops and what the last look has found is handled. */
  async ended(): Promise<void> {
    await new Promise<void>((resolve) => onAbort(this.#options.stopping, resolve));
    await this.#look;
  }
}
