/**
 * Waits for a change in the store: commits of this process end the wait, otherwise it polls with growing pauses.
 *
 *   WT1  A commit of this process between two pauses ends the next one at once: the look before that pause may have
 *        read the store before the commit.
 *   WT2  A commit ends one pause. Without a further commit the next look waits for the whole pause, so a wait costs
 *        few reads.
 */
import type { Clock } from "../contract/clock.ts";
import { onAbort } from "../contract/on-abort.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import { type Duration, durationMs } from "../define/duration.ts";
import { CancelledError, InvalidInputError, TimeoutError } from "../errors/duroxide-error.ts";
import { methodsFault } from "../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";

/** The limits of a client's wait. The end of a wait does not affect the orchestration. */
export interface WaitOptions {
  /** Rejects with TimeoutError after this time; without it the wait has no limit. */
  readonly timeout?: Duration;
  /** Rejects with CancelledError when it aborts. */
  readonly signal?: AbortSignal;
}

const WAIT_OPTIONS: OptionList = optionList<WaitOptions>({ timeout: true, signal: true });

/** InvalidInputError for invalid options of a wait. */
export function checkWait(method: string, options: WaitOptions): void {
  checkOptions(method, options, WAIT_OPTIONS);
  if (options.timeout !== undefined) durationMs(options.timeout, `${method}: timeout`);
  const fault = methodsFault(`${method}: signal`, options.signal, ["addEventListener"]);
  if (fault !== undefined) throw new InvalidInputError(fault);
}

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 1_000;
/** If commits of this process end the wait, the first polls can be rare. */
const FIRST_WATCHED_PAUSE_MS = 100;

/** Polls with `look` until it returns a value. A retryable error counts as no value. */
export async function waitUntil<T>(
  provider: Provider,
  clock: Clock,
  instanceId: string,
  { timeout, signal }: WaitOptions,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const deadlineMs = timeout === undefined ? Number.POSITIVE_INFINITY : clock.now() + durationMs(timeout);
  using watch = new Watch(provider, clock, instanceId);
  let pauseMs = watch.isLive ? FIRST_WATCHED_PAUSE_MS : FIRST_PAUSE_MS;
  for (;;) {
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const found = await lookPatiently(look);
    if (found !== undefined) return found;
    const leftMs = deadlineMs - clock.now();
    if (leftMs <= 0) throw new TimeoutError(`instance "${instanceId}": the wait timed out`);
    await watch.pause(Math.min(pauseMs, leftMs), signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

async function lookPatiently<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (ProviderError.is(error) && error.retryable) return undefined;
    throw error;
  }
}

/** A pause that a commit of this process ends. */
class Watch implements Disposable {
  readonly #clock: Clock;
  readonly #unwatch: (() => void) | undefined;
  #changed = false;
  #wake: (() => void) | undefined;

  constructor(provider: Provider, clock: Clock, instanceId: string) {
    this.#clock = clock;
    this.#unwatch = provider.watchInstance?.(instanceId, () => {
      this.#changed = true;
      this.#wake?.();
    });
  }

  get isLive(): boolean {
    return this.#unwatch !== undefined;
  }

  async pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#changed) await this.#untilChanged(ms, signal);
    this.#changed = false;
  }

  #untilChanged(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(ms, wake);
      const forget = onAbort(signal, wake);
      this.#wake = wake;
      function wake(): void {
        cancel();
        forget();
        resolve();
      }
    });
  }

  [Symbol.dispose](): void {
    this.#unwatch?.();
  }
}
