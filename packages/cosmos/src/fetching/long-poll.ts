/** The steps of a fetch: it tries work in memory, then queries, then waits (docs/decisions/cosmos-turns.md). */
import { sleep } from "@duroxide-ts/core";
import type { Work } from "../memory/parts.ts";
import type { WaitingFetches } from "../memory/waiting-fetches.ts";
import type { CandidateRow, Candidates } from "./candidates.ts";
import type { IdlePoll } from "./idle-poll.ts";

export interface LongPoll<Request, Claim, Result> {
  /** The work that a commit of this process may lock for it while it waits. */
  readonly request: Request;
  /** Equal for fetches that share a list of candidates. */
  readonly asks: string;
  readonly work: Work;
  readonly pollTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly waiting: WaitingFetches<Request, Claim>;
  readonly candidates: Pick<
    Candidates<unknown, CandidateRow>,
    "ask" | "asked" | "nextMs" | "retryMs" | "hasMore" | "isIdle" | "isIncomplete" | "error"
  >;
  readonly idlePoll: IdlePoll;
  /** Tries all work in memory, and calls back before each try. */
  readonly attempt: (onFound: () => void) => Promise<Result | undefined>;
  /** Takes the lock that a commit took for it; `undefined` if it cannot be used. */
  readonly accept: (claim: Claim) => Promise<Result | undefined>;
  /** Returns the time at which work in memory becomes due. */
  readonly nextDueMs: () => number;
}

type Search = Pick<LongPoll<unknown, unknown, unknown>, "work" | "candidates" | "signal">;

/** Pages of candidates that one fetch reads before it waits. */
const MOST_PAGES = 20;

/** An aborted fetch resolves to undefined, also during a request. */
export async function longPoll<Request, Claim, Result>(
  poll: LongPoll<Request, Claim, Result>,
): Promise<Result | undefined> {
  try {
    return await pollUntilFound(poll);
  } catch (error) {
    if (poll.signal?.aborted === true) return undefined;
    throw error;
  }
}

async function pollUntilFound<Request, Claim, Result>(
  poll: LongPoll<Request, Claim, Result>,
): Promise<Result | undefined> {
  const { work, candidates, waiting, signal } = poll;
  const { clock } = work;
  const endMs = clock.now() + poll.pollTimeoutMs;
  const askedBefore = candidates.asked;
  // A fetch without a poll timeout does not queue.
  using place = poll.pollTimeoutMs > 0 ? waiting.enter(poll.asks, poll.request) : undefined;
  const looks = (): boolean => place?.isFirst !== false;
  for (let pages = 0; ; ) {
    const isOver = (): boolean => waiting.closed || signal?.aborted === true;
    if (isOver()) return undefined;
    const { notices } = waiting;
    const isDue = (): boolean => looks() && clock.now() >= candidates.nextMs;
    if (isDue() && candidates.isIdle && place !== undefined) await poll.idlePoll.look(work);
    if (isDue()) await candidates.ask(work, { retry: true });
    const result = await poll.attempt(() => place?.handOver());
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
function endedWithout({ candidates, signal }: Search): undefined {
  if (candidates.error !== undefined && signal?.aborted !== true) throw candidates.error;
  return undefined;
}
