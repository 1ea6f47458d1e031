/**
 * The waits on one store between their looks. Waits that fall due at about the same time ask the store together which of
 * their instances have changed, in one query, and only those look.
 *
 * - wait-group.WG1: A wait looks by itself where the store cannot be asked, or few waits are due: for few a read each
 *   costs less.
 * - wait-group.WG2: The answer is a hint. The clocks of processes differ, so the question reaches back by a margin, and
 *   after `ASKS` questions a wait looks by itself.
 * - wait-group.WG3: A wait that is asked for with others has no timer meanwhile. A commit, an abort or its limit wakes
 *   it all the same, and then the answer is not for it.
 * - wait-group.WG4: The first pause is short where a look costs no request units and another process ended the last
 *   wait, as in a process that only starts instances. A wait that a commit of this process ends makes it long again.
 */
import { ChurningMap } from "../collections/churning-map.ts";
import type { CancelTimer, Clock } from "../contract/clock.ts";
import { onAbort } from "../contract/on-abort.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";

const FIRST_PAUSE_MS = 5;
/** If commits of this process end the wait, the first looks can be rare. */
const FIRST_WATCHED_PAUSE_MS = 100;
/** Up to here pauses double; from here on they are an eighth of the age of the wait. */
const STEADY_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const STEADY_GROWTH = 9 / 8;

/** Waits that ask together, at least (wait-group.WG1). */
const SOME = 4;
/** Waits whose pause is at most so many times as long are asked for too, before their time. */
const WITH_LONGER = 4;
const MARGIN_MS = 15_000;
const ASKS = 40;
/** A store limits the size of a query. */
const MOST_IDS = 1_000;

const groups = new WeakMap<Provider, WaitGroup>();

export class WaitGroup {
  readonly #provider: Provider;
  readonly #clock: Clock;
  readonly #paused = new ChurningMap<Wait, Wait>();
  /** Whether the last wait was ended by what another process had done (wait-group.WG4). */
  #endsElsewhere = false;

  private constructor(provider: Provider, clock: Clock) {
    this.#provider = provider;
    this.#clock = clock;
  }

  static of(provider: Provider, clock: Clock): WaitGroup {
    const known = groups.get(provider);
    if (known !== undefined) return known;
    const group = new WaitGroup(provider, clock);
    groups.set(provider, group);
    return group;
  }

  /** First pause of a wait, ms. */
  firstPauseMs(isWatched: boolean): number {
    return isWatched && !this.#endsElsewhere ? FIRST_WATCHED_PAUSE_MS : FIRST_PAUSE_MS;
  }

  /** A wait has ended after a pause; `isTold`: by a commit of this process (wait-group.WG4). */
  ended(isTold: boolean): void {
    this.#endsElsewhere = !isTold && this.#provider.requestUnits === undefined;
  }

  enter(wait: Wait): void {
    this.#paused.set(wait, wait);
    this.#arm(wait);
  }

  leave(wait: Wait): void {
    this.#paused.delete(wait);
    wait.timer?.();
    wait.timer = undefined;
  }

  #arm(wait: Wait): void {
    wait.timer = this.#clock.schedule(wait.pauseMs, () => {
      wait.timer = undefined;
      void this.#due(wait);
    });
  }

  async #due(first: Wait): Promise<void> {
    const due = this.#paused
      .values()
      .filter(
        (wait) => wait === first || (wait.timer !== undefined && wait.pauseMs <= first.pauseMs * WITH_LONGER),
      );
    if (due.length < SOME || this.#provider.changedInstances === undefined) {
      first.wake();
      return;
    }
    for (const wait of due) {
      wait.timer?.();
      wait.timer = undefined;
    }
    for (let at = 0; at < due.length; at += MOST_IDS) await this.#ask(due.slice(at, at + MOST_IDS));
  }

  /** Wakes those that have changed, and pauses the others again. */
  async #ask(waits: readonly Wait[]): Promise<void> {
    const askedMs = this.#clock.now();
    const sinceMs = waits.reduce((first, { lookedMs }) => Math.min(first, lookedMs), askedMs) - MARGIN_MS;
    const ids = [...new Set(waits.map(({ instanceId }) => instanceId))];
    let changed: ReadonlyMap<string, string> | undefined;
    try {
      changed = await this.#provider.changedInstances?.(ids, Math.max(0, sinceMs));
    } catch (error) {
      // Their own looks tell what is wrong.
      if (!ProviderError.is(error) || !error.retryable) for (const wait of waits) wait.wake();
    }
    for (const wait of waits) {
      // wait-group.WG3.
      if (!this.#paused.has(wait) || wait.timer !== undefined) continue;
      if (changed !== undefined && wait.learns(changed.get(wait.instanceId), askedMs)) wait.wake();
      else {
        wait.grow();
        this.#arm(wait);
      }
    }
  }
}

/** A wait of a client. */
export class Wait {
  readonly instanceId: string;
  pauseMs: number;
  /** Time at which the store was last read or asked for the instance, ms since the epoch. */
  lookedMs = 0;
  timer: CancelTimer | undefined;
  readonly #group: WaitGroup;
  readonly #clock: Clock;
  readonly #unwatch: (() => void) | undefined;
  #mark: string | undefined;
  #asks = 0;
  #changed = false;
  /** Whether a commit of this process ended the last pause; `undefined` before the first one. */
  #isTold: boolean | undefined;
  #end: (() => void) | undefined;

  constructor(group: WaitGroup, provider: Provider, clock: Clock, instanceId: string) {
    this.#group = group;
    this.#clock = clock;
    this.instanceId = instanceId;
    this.#unwatch = provider.watchInstance?.(instanceId, () => {
      this.#changed = true;
      this.wake();
    });
    this.pauseMs = group.firstPauseMs(this.#unwatch !== undefined);
  }

  /** It is about to read the store. */
  looks(): void {
    this.lookedMs = this.#clock.now();
    this.#asks = 0;
  }

  /** Ends the pause, if there is one. */
  wake(): void {
    this.#end?.();
  }

  /** Whether the answer of the store calls for a look. */
  learns(mark: string | undefined, askedMs: number): boolean {
    this.lookedMs = askedMs;
    this.#asks++;
    if (this.#asks >= ASKS) return true;
    if (mark === undefined || mark === this.#mark) return false;
    this.#mark = mark;
    return true;
  }

  grow(): void {
    this.pauseMs =
      this.pauseMs < STEADY_PAUSE_MS
        ? Math.min(this.pauseMs * 2, STEADY_PAUSE_MS)
        : Math.min(this.pauseMs * STEADY_GROWTH, LONGEST_PAUSE_MS);
  }

  async pause(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#changed && signal?.aborted !== true) await this.#untilWoken(signal);
    this.#isTold = this.#changed;
    this.#changed = false;
    this.grow();
  }

  /** The last look has found what it waits for. */
  found(): void {
    if (this.#unwatch !== undefined && this.#isTold !== undefined) this.#group.ended(this.#isTold);
  }

  async #untilWoken(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forget = onAbort(signal, resolve);
    this.#end = resolve;
    this.#group.enter(this);
    await promise;
    this.#group.leave(this);
    this.#end = undefined;
    forget();
  }

  end(): void {
    this.#unwatch?.();
  }
}
