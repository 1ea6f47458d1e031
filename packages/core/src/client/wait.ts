/**
 * Waits for a change in the store: commits of this process end a pause, otherwise the wait looks after growing pauses.
 * Many waits on one store ask together (wait-group.ts).
 *
 * - wait.WT1: A commit of this process between two pauses ends the next one at once: the look before that pause may
 *   have read the store before the commit.
 * - wait.WT2: A commit ends one pause. Without a further commit the next look waits for the whole pause, so a wait
 *   costs few reads.
 * - wait.WT3: Pauses and limits are timers, and no time is compared with another: a clock that is set back delays no
 *   wait.
 */
import type { Clock } from "../contract/clock.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import { type Duration, durationMs } from "../define/duration.ts";
import { CancelledError, InvalidInputError, TimeoutError } from "../errors/duroxide-error.ts";
import { methodsFault } from "../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import { Wait, WaitGroup } from "./wait-group.ts";

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

/** Polls with `look` until it returns a value. A retryable error counts as no value. */
export async function waitUntil<T>(
  provider: Provider,
  clock: Clock,
  instanceId: string,
  { timeout, signal }: WaitOptions,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const wait = new Wait(WaitGroup.of(provider, clock), provider, clock, instanceId);
  const limit = new Limit(clock, timeout, () => wait.wake());
  try {
    for (;;) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      wait.looks();
      const found = await lookPatiently(look);
      if (found !== undefined) {
        wait.found();
        return found;
      }
      if (limit.isOver) throw new TimeoutError(`instance "${instanceId}": the wait timed out`);
      await wait.pause(signal);
    }
  } finally {
    limit.end();
    wait.end();
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

/** The time limit of a wait. */
class Limit {
  isOver: boolean;
  readonly #cancel: (() => void) | undefined;

  constructor(clock: Clock, timeout: Duration | undefined, onOver: () => void) {
    const limitMs = timeout === undefined ? undefined : durationMs(timeout);
    this.isOver = limitMs === 0;
    if (limitMs === undefined) return;
    this.#cancel = clock.schedule(limitMs, () => {
      this.isOver = true;
      onOver();
    });
  }

  end(): void {
    this.#cancel?.();
  }
}
