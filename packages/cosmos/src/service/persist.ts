/** Sends one request and retries it until its call's time is over, with the pauses that the service asks for. */
import { type Clock, type Random, sleep } from "@duroxide-ts/core";
import { doubledMs, ProviderError } from "@duroxide-ts/core/stores";
import type { Deadline } from "./call.ts";
import { type Failure, failureOf, isTransient, mayHaveHappened, toProviderError } from "./failure.ts";
import type { Outage } from "./outage.ts";

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;

/** A random part of `doubledMs`, from half of it on, so that processes that failed together do not retry together. */
export function spreadMs(firstMs: number, longestMs: number, doublings: number, random: Random): number {
  return doubledMs(firstMs, longestMs, doublings) * (0.5 + random.next() / 2);
}

/** The pause after this number of failures in a row. The first retry has none. */
export function backOffMs(failures: number, random: Random): number {
  return failures <= 1 ? 0 : spreadMs(FIRST_DELAY_MS, LONGEST_DELAY_MS, failures - 2, random);
}

/** The longest pause where the service advises a shorter one: a lock lasts much longer. */
const LONGEST_UNADVISED_MS = 200;

/**
 * The pause after this number of refusals in a row that say how long to wait. The service may advise 0 ms for as long as
 * it refuses, so what it advises is a lower limit.
 */
export function advisedMs(adviceMs: number, refusals: number): number {
  const leastMs = refusals <= 1 ? 0 : doubledMs(FIRST_DELAY_MS, LONGEST_UNADVISED_MS, refusals - 2);
  return Math.max(adviceMs, leastMs);
}

export interface Pace {
  readonly clock: Clock;
  readonly random: Random;
  /** Paces requests while the service does not respond at all; a further pause would only delay the recovery. */
  readonly outage?: Outage;
}

/** `repeated`: an earlier attempt got no response, and may have caused this outcome. */
export interface Persisted<T> {
  readonly value: T;
  readonly repeated: boolean;
}

/**
 * Retries until the request succeeds, the failure is not transient, or the call's time is over; then throws a
 * ProviderError. `send` gets the number of the attempt, from 1 on, and whether an earlier one may have been executed.
 */
export async function persist<T>(
  pace: Pace,
  call: Deadline,
  send: (repeated: boolean, attempt: number) => Promise<T>,
): Promise<Persisted<T>> {
  let repeated = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return { value: await send(repeated, attempt), repeated };
    } catch (error) {
      if (ProviderError.is(error)) throw error;
      const failure = failureOf(error);
      if (mayHaveHappened(failure)) repeated = true;
      await pause(pace, call, failure, attempt);
    }
  }
}

const RETRY_WITH = 449;

/**
 * The first retry follows at once, because most often one connection broke. A write that conflicted with another one
 * waits a random time, so that several such writes do not conflict again.
 */
function firstDelayMs({ status }: Failure, random: Random): number {
  return status === RETRY_WITH ? 10 + 40 * random.next() : 0;
}

async function pause(
  { clock, random, outage }: Pace,
  call: Deadline,
  failure: Failure,
  attempt: number,
): Promise<void> {
  const { retryAfterMs } = failure;
  const ownMs = attempt === 1 ? firstDelayMs(failure, random) : backOffMs(attempt, random);
  const unadvisedMs = outage?.isOn === true ? 0 : ownMs;
  const delayMs = retryAfterMs === undefined ? unadvisedMs : advisedMs(retryAfterMs, attempt);
  const isOver = call.signal?.aborted === true || clock.now() + delayMs > call.untilMs;
  if (isOver || !isTransient(failure)) throw toProviderError(call.operation, failure);
  if (delayMs > 0) await sleep(clock, Math.ceil(delayMs), call.signal);
}
