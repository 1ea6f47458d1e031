/**
 * One query for all queues of an idle process: whether any work is visible, and in which queue. The process sends it once
 * in each longest interval, for any number of queues and filters; a queue with work is then queried itself. Processes
 * that query the same work take turns at the physical partitions (membership/turns.ts).
 *
 * - idle-poll.QL1: Only idle queues take part: a busy queue sends its own queries.
 * - idle-poll.QL2: A page that is not the last one tells nothing about the rows behind it, so every idle queue counts
 *   as having work.
 * - idle-poll.QL3: It meets the mark of ranked rows, which only then are searched for (docs/decisions/limits.md).
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import { RANKED_MARK } from "../documents/limit-documents.ts";
import { UNLOCKED } from "../documents/unlocked.ts";
import type { Work } from "../memory/parts.ts";
import { RANKED_ACTIVE_MS } from "../memory/waits.ts";
import { spec } from "../service/spec.ts";
import type { CandidateRow, Candidates } from "./candidates.ts";
import type { Group, Members } from "./membership/members.ts";
import { hasTurn, takesTurns } from "./membership/turns.ts";
import type { PollLimits } from "./poll-interval.ts";
import { RangeCursors, type RangePage } from "./range-cursors.ts";

/** A page with rows of one queue tells nothing about the other. */
const PAGE = 50;

const VISIBLE = `SELECT VALUE c.type FROM c WHERE c.visibleAt <= @now AND ${UNLOCKED} ORDER BY c.visibleAt`;

interface IdleQueue {
  readonly group: Group;
  readonly candidates: Pick<Candidates<unknown, CandidateRow>, "isIdle" | "postpone" | "resumePolling">;
  readonly waiting: { notify(): void };
}

export interface SearchSettings {
  readonly members: Members;
  readonly pollIntervalMs: PollLimits;
}

export class IdlePoll {
  readonly #settings: SearchSettings;
  readonly #cursors: RangeCursors<string>;
  readonly #idleQueues: IdleQueue[] = [];
  /** The result of the query under way. */
  #found = new Set<string>();
  #looking: Promise<void> | undefined;

  constructor(stop: AbortSignal, settings: SearchSettings) {
    this.#settings = settings;
    const onPage = (page: RangePage<string>, isLate: boolean): void => this.#take(page, isLate);
    this.#cursors = new RangeCursors({ stop, limit: PAGE, onPage });
  }

  add(idle: IdleQueue): void {
    this.#idleQueues.push(idle);
  }

  /** There is work that no query has found: those of all queues are due. */
  resume(): void {
    for (const idle of this.#idleQueues) wake(idle);
  }

  /** Sets the time of the next query of every idle queue: now, or after its interval. */
  look(work: Work): Promise<void> {
    this.#looking ??= this.#look(work).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(work: Work): Promise<void> {
    const { members, pollIntervalMs } = this.#settings;
    // idle-poll.QL1.
    const idleQueues = this.#idleQueues.filter(({ candidates }) => candidates.isIdle);
    if (this.#cursors.ranges > 1) for (const { group } of idleQueues) members.noteAsked(group);
    this.#found = new Set();
    this.#cursors.restart();
    const peerGroup = members.peerGroup();
    const nowMs = work.clock.now();
    const visible = spec(VISIBLE, { "@now": nowMs });
    const interval = Math.floor(nowMs / pollIntervalMs.max);
    const question = (range: string, ranges: number): SqlQuerySpec | undefined =>
      hasTurn(peerGroup, range, ranges, interval) ? visible : undefined;
    await this.#cursors.ask(work, question, { which: "all", waitsForAll: false });
    // idle-poll.QL3.
    if (this.#found.has(RANKED_MARK)) work.memory.activities.rankedUntilMs = nowMs + RANKED_ACTIVE_MS;
    // Processes that take turns query at the same time, so that each partition gets one query in each interval.
    const untilMs = takesTurns(peerGroup, this.#cursors.ranges)
      ? (interval + 1) * pollIntervalMs.max
      : undefined;
    for (const idle of idleQueues) {
      if (!idle.candidates.isIdle) continue;
      if (this.#found.has(idle.group.queue)) wake(idle);
      else idle.candidates.postpone(untilMs);
    }
  }

  /** idle-poll.QL2. */
  #take({ results, hasMore }: RangePage<string>, isLate: boolean): void {
    const found = new Set(hasMore ? this.#idleQueues.map(({ group }) => group.queue) : results);
    for (const type of found) this.#found.add(type);
    for (const idle of this.#idleQueues) {
      if (!found.has(idle.group.queue) || !idle.candidates.isIdle) continue;
      if (isLate) wake(idle);
    }
  }
}

function wake({ candidates, waiting }: IdleQueue): void {
  candidates.resumePolling();
  waiting.notify();
}
