/**
 * One request to a container that is not ours, tried again for as long as its call is worth it. The SDK of whoever owns
 * the container may have repeated it already; what comes through is taken from there.
 */
import { type Clock, type Random, sleep } from "@duroxide-ts/core";
import type { Call } from "../requests/call.ts";
import {
  type Failure,
  failureOf,
  isTransient,
  mayHaveHappened,
  toProviderError,
} from "../requests/failure.ts";

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;

export interface Pace {
  readonly clock: Clock;
  readonly random: Random;
}

/** `repeated`: an earlier attempt was not answered, and may be what this one met. */
export interface Persisted<T> {
  readonly value: T;
  readonly repeated: boolean;
}

/**
 * Tries until it works, the trouble is no passing one, or the call's time is over; then throws a ProviderError. What is
 * sent is told whether an earlier attempt may have been carried out.
 */
export async function persist<T>(
  pace: Pace,
  call: Call,
  send: (repeated: boolean) => Promise<T>,
): Promise<Persisted<T>> {
  let repeated = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return { value: await send(repeated), repeated };
    } catch (error) {
      const failure = failureOf(error);
      if (mayHaveHappened(failure)) repeated = true;
      await pause(pace, call, failure, attempt);
    }
  }
}

/** The first repetition follows at once: what broke is most often one connection. */
async function pause({ clock, random }: Pace, call: Call, failure: Failure, attempt: number): Promise<void> {
  const growingMs = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 2), LONGEST_DELAY_MS);
  const delayMs = failure.retryAfterMs ?? (attempt === 1 ? 0 : growingMs * (0.5 + random.next() / 2));
  const isOver = clock.now() + delayMs > call.untilMs;
  if (isOver || !isTransient(failure)) throw toProviderError(call.operation, failure);
  if (delayMs > 0) await sleep(clock, Math.ceil(delayMs));
}

export type Settled<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** Makes an outcome of refusals with these statuses; a missing container is none of them. */
export async function unlessRefused<T>(statuses: readonly number[], sent: Promise<T>): Promise<Settled<T>> {
  try {
    return { ok: true, value: await sent };
  } catch (error) {
    const failure = failureOf(error);
    const { status = 0, substatus } = failure;
    const isExpected = statuses.includes(status) && substatus !== OWNER_ABSENT && !isTransient(failure);
    if (!isExpected) throw error;
    return { ok: false, failure };
  }
}

const OWNER_ABSENT = 1003;
