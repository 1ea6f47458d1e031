/** The steps of a fetch: it tries work in memory, then queries, then waits (docs/decisions/cosmos-turns.md). */
import { sleep } from "@duroxide-ts/core";
import type { LockAttempts } from "../memory/lock-attempts.ts";
import type { Work } from "../memory/parts.ts";
import type { WaitingFetches } from "../memory/waiting-fetches.ts";
import type { CandidateRow, Candidates } from "./candidates.ts";
import type { IdlePoll } from "./idle-poll.ts";
import { type Item, type Pass, tryEach } from "./try-each.ts";

/** Validated options. */
export type Asked<Options> = Options & {
  /** Equal for fetches that accept the same work: they share a list of candidates. */
  readonly asks: string;
};

interface FetchOptions {
  readonly pollTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface LongPoll<Found extends Item, Request extends FetchOptions, Claim, Result> {
  /** A commit of this process may lock the work that it asks for while it waits. */
  readonly request: Asked<Request>;
  readonly work: Work;
  readonly attempts: LockAttempts;
  readonly waiting: WaitingFetches<Request, Claim>;
  readonly candidates: Pick<
    Candidates<unknown, CandidateRow>,
    "ask" | "asked" | "nextMs" | "retryMs" | "hasMore" | "isIdle" | "isIncomplete" | "error"
  >;
  readonly idlePoll: IdlePoll;
  /** Makes ready what takes requests before work can be tried; undefined where nothing does. */
  readonly prepare?: (isOnce: boolean) => Promise<void> | undefined;
  /** Begins to try all work in memory. */
  readonly pass: () => Pass<Found, Result>;
  /** Takes the lock that a commit took for it; `undefined` if it cannot be used. */
  readonly accept: (claim: Claim) => Promise<Result | undefined>;
  /** Returns the time at which work in memory becomes due. */
  readonly nextDueMs: () => number;
}

type Search = Pick<LongPoll<Item, FetchOptions, unknown, unknown>, "request" | "work" | "candidates">;

/** Pages of candidates that one fetch reads before it waits. */
const MOST_PAGES = 20;

/** An aborted fetch resolves to undefined, also during a request. */
export async function longPoll<Found extends Item, Request extends FetchOptions, Claim, Result>(
  poll: LongPoll<Found, Request, Claim, Result>,
): Promise<Result | undefined> {
  try {
    return await pollUntilFound(poll);
  } catch (error) {
    if (poll.request.signal?.aborted === true) return undefined;
    throw error;
  }
}

async function pollUntilFound<Found extends Item, Request extends FetchOptions, Claim, Result>(
  poll: LongPoll<Found, Request, Claim, Result>,
): Promise<Result | undefined> {
  const { work, attempts, candidates, waiting, request } = poll;
  const { asks, pollTimeoutMs, signal } = request;
  const { clock } = work;
  const endMs = clock.now() + pollTimeoutMs;
  const askedBefore = candidates.asked;
  // A fetch without a poll timeout does not queue.
  using place = pollTimeoutMs > 0 ? waiting.enter(asks, request) : undefined;
  const looks = (): boolean => place?.isFirst !== false;
  const isOver = (): boolean => waiting.closed || signal?.aborted === true;
  const onFound = (): void => place?.handOver();
  const waits = place !== undefined;
  for (let pages = 0; ; ) {
    if (isOver()) return undefined;
    const { notices } = waiting;
    const isDue = (): boolean => looks() && clock.now() >= candidates.nextMs;
    if (isDue() && candidates.isIdle && place !== undefined) await poll.idlePoll.look(work);
    if (isDue()) await candidates.ask(work, { retry: true });
    const preparing = looks() ? poll.prepare?.(place === undefined) : undefined;
    if (preparing !== undefined) await preparing;
    const result = await tryEach({ ...poll.pass(), work, attempts, isOver, onFound, asks, waits });
    if (result !== undefined || isOver()) return result;
    place?.comeBack();
    const mustAsk = place === undefined && candidates.asked === askedBefore;
    if (mustAsk || (looks() && candidates.hasMore && pages++ < MOST_PAGES)) {
      await candidates.ask(work, { waitsForAll: place === undefined });
      continue;
    }
    if (place === undefined && (await mayAskAgain(poll))) continue;
    if (place === undefined || clock.now() >= endMs) return endedWithout(poll);
    const lookMs = Math.min(candidates.nextMs, poll.nextDueMs());
    const claim = await place.wait(notices, { lookMs, endMs }, signal);
    const accepted = claim && (await poll.accept(claim));
    if (accepted !== undefined) return accepted;
  }
}

/** A fetch without a poll timeout waits for the answers of all physical partitions, within the time of its call. */
async function mayAskAgain({ work, candidates }: Search): Promise<boolean> {
  const { retryMs } = candidates;
  if (!candidates.isIncomplete || retryMs > work.untilMs) return false;
  await sleep(work.clock, Math.max(0, retryMs - work.clock.now()), work.signal);
  await candidates.ask(work, { waitsForAll: true, retry: true });
  return true;
}

/** No work was found. If no partition answers, that is an error. */
function endedWithout({ request, candidates }: Search): undefined {
  if (candidates.error !== undefined && request.signal?.aborted !== true) throw candidates.error;
  return undefined;
}
