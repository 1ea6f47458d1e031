/**
 * Finds an eligible activity, and locks it (docs/reference/provider-contract.md §10 to §12).
 *
 * - fetch-work-item.FW1: Of the next row in memory and the next row that a query found, the older one is tried first,
 *   so that the work of this process does not keep the work of others waiting.
 * - fetch-work-item.FW2: A row whose session another worker of this process has is locked for that worker, if its fetch
 *   waits: that fetch does not query while another fetch of its queue does.
 * - fetch-work-item.FW3: A row that cannot be decoded, and cannot be put aside either, keeps no other row from being
 *   found. It is put aside after a growing time.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import {
  acceptsTag,
  checkFetchWork,
  digestOfNames,
  type FetchedWork,
  type FetchWorkOptions,
  handlerOf,
  hasActivity,
  messageOf,
} from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { compareQueued, sortQueue } from "../documents/queue-order.ts";
import { rankedBy } from "../documents/ranked.ts";
import { type ActivityRow, notesOf, toActivityRow } from "../documents/rows.ts";
import { UNLOCKED } from "../documents/unlocked.ts";
import { CandidateLists } from "../fetching/candidate-lists.ts";
import type { Candidates } from "../fetching/candidates.ts";
import { reservedForHandlersUntilMs } from "../fetching/handler-reservation.ts";
import { longPoll } from "../fetching/long-poll.ts";
import { moveToDeadLetters } from "../fetching/move-to-dead-letters.ts";
import { noteRefused, type Refusals } from "../fetching/note-refused.ts";
import type { Undecodable } from "../fetching/partition.ts";
import { type RankedCaller, RankedWork } from "../fetching/ranked-work.ts";
import type { Searches } from "../fetching/searches.ts";
import { tagCondition, tagsOf } from "../fetching/tag-condition.ts";
import type { Pass } from "../fetching/try-each.ts";
import { undoActivity } from "../leases/give-back-activity.ts";
import { lockActivity, type NotLocked } from "../leases/lock-activity.ts";
import { parseActivityToken } from "../leases/lock-token.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { goesFirst } from "../memory/ranked-rows.ts";
import { isRefusal } from "../memory/refused-writes.ts";
import { BEST_EFFORT_MS, LEAST_FETCH_MS, MOST_REFUSED_LOCKS } from "../memory/waits.ts";
import { spec } from "../service/spec.ts";

const OPERATION = "fetchWorkItem";

type Found = Candidates<Stored, ActivityRow>;

const WITHOUT_SESSION = "(NOT IS_DEFINED(c.sessionId) OR c.sessionId = null)";

export class WorkFetches {
  readonly #parts: Parts;
  readonly #searches: Searches;
  readonly #lists: CandidateLists<Stored, ActivityRow>;
  readonly #ranked: RankedWork;
  /** The session owners that have fetched in this process. */
  readonly #owners = new Set<string>();

  constructor(parts: Parts, searches: Searches) {
    this.#parts = parts;
    this.#searches = searches;
    this.#ranked = new RankedWork(parts, searches);
    this.#lists = new CandidateLists<Stored, ActivityRow>(parts, searches, {
      queue: "worker_queue",
      waiting: parts.memory.waitingForActivities,
      rowOf: ({ document, item, visibleAtMs }) => ({
        instanceId: document.instanceId,
        visibleAtMs,
        isBound: this.#ownsSession(item.session_id),
      }),
      isNews: ({ id }) =>
        !parts.memory.activities.has(id) &&
        parts.memory.activities.refused.untilMs(id, parts.clock.now()) === undefined,
      toCandidates: async (found) => this.#withoutRanked(await this.#decode(found)),
      sort: sortQueue,
      asksAll: () => this.#ownsSessions(),
    });
  }

  async fetch(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
    const { clock } = this.#parts;
    const checked = { ...checkFetchWork(options), asks: this.#asksOf(options) };
    const { pollTimeoutMs, session, asks } = checked;
    const waiting = this.#parts.memory.waitingForActivities;
    if (options.tagFilter.kind === "none") {
      await waiting.waitAlone(clock.now() + pollTimeoutMs, options.signal);
      return undefined;
    }
    if (session !== undefined) this.#owners.add(session.ownerId);
    const work = new Work(this.#parts, OPERATION, Math.max(pollTimeoutMs, LEAST_FETCH_MS), options.signal);
    const candidates = this.#lists.listFor({ asks, pollTimeoutMs }, () => this.#question(options));
    const caller: RankedCaller = {
      options: checked,
      asks,
      fetches: 1,
      accepts: (row) => this.#accepts(row, checked, candidates),
    };
    return longPoll({
      prepare: (isOnce) =>
        this.#ranked.isActive
          ? this.#ranked.prepare(work, { ...caller, fetches: waiting.count(asks) }, isOnce)
          : undefined,
      request: checked,
      work,
      attempts: this.#parts.memory.activities.attempts,
      waiting,
      candidates,
      idlePoll: this.#searches.idlePoll,
      pass: () => this.#pass(work, candidates, checked),
      accept: async (locked) => locked,
      nextDueMs: () => Math.min(this.#parts.memory.activities.nextMs, this.#ranked.nextMs(caller)),
    });
  }

  /** Equal for fetches that accept the same work, except for sessions that one of them owns. */
  #asksOf({ tagFilter, session, activities }: FetchWorkOptions): string {
    const asks = JSON.stringify([tagFilter, session !== undefined]);
    return activities === undefined ? asks : `${asks} ${digestOfNames(activities)}`;
  }

  #pass(work: Work, candidates: Found, options: FetchWorkOptions): Pass<ActivityRow, FetchedWork> {
    /** Rows that this fetch could not lock. */
    const vain = new Set<string>();
    const refusals: Refusals = { count: 0 };
    return {
      next: (isBusy) => this.#next(candidates, options, (row) => !vain.has(row.id) && !isBusy(row)),
      lock: async (row) => {
        vain.add(row.id);
        return this.#lock(work, row, options, candidates, refusals);
      },
    };
  }

  /** fetch-work-item.FW1. A ranked row is compared with the one that would be tried otherwise. */
  #next(
    candidates: Found,
    options: FetchWorkOptions,
    isFree: (row: ActivityRow) => boolean,
  ): ActivityRow | undefined {
    const { activities } = this.#parts.memory;
    const nowMs = this.#parts.clock.now();
    const accepts = (row: ActivityRow): boolean => this.#accepts(row, options, candidates) && isFree(row);
    const ranked = this.#ranked.first({ options, accepts });
    const isPassed = (row: ActivityRow): boolean => ranked !== undefined && goesFirst(ranked, row, nowMs);
    const known = activities.first(nowMs, accepts);
    for (;;) {
      const found = candidates.first();
      if (found === undefined) return known !== undefined && !isPassed(known) ? known : (ranked ?? known);
      const othersUntilMs = forOthersUntilMs(found, options, nowMs);
      if (othersUntilMs !== undefined) candidates.pass(({ id }) => id === found.id, othersUntilMs);
      else if (!accepts(found)) candidates.take();
      else {
        const isKnownFirst = known !== undefined && compareQueued(known, found) < 0;
        if (isPassed(isKnownFirst ? known : found)) return ranked;
        return isKnownFirst ? known : candidates.take();
      }
    }
  }

  /** Whether a fetch may try the row. */
  #accepts(row: ActivityRow, options: FetchWorkOptions, { isShared }: Found): boolean {
    const { activities } = this.#parts.memory;
    const nowMs = this.#parts.clock.now();
    return (
      acceptsTag(options.tagFilter, row.item.tag) &&
      (row.item.session_id === undefined || options.session !== undefined) &&
      !(isShared && activities.left.untilMs(row.id, nowMs) !== undefined) &&
      forOthersUntilMs(row, options, nowMs) === undefined &&
      activities.refused.untilMs(row.id, nowMs) === undefined
    );
  }

  async #lock(
    work: Work,
    row: ActivityRow,
    options: FetchWorkOptions,
    candidates: Found,
    refusals: Refusals,
  ): Promise<FetchedWork | undefined> {
    const isRow = ({ id }: ActivityRow): boolean => id === row.id;
    const locked = await this.#attempt(work, row, options, refusals);
    if (locked === "taken") {
      candidates.lose(isRow);
      return undefined;
    }
    if (locked === "held") return undefined;
    if (locked !== "elsewhere") {
      candidates.drop(isRow);
      return locked;
    }
    // Its session may be released at any time. A retry costs no request, because the owner is remembered.
    candidates.pass(isRow, 0);
    await this.#lockForOwner(work, row, refusals);
    return undefined;
  }

  /** Locks the row for the worker of this process that owns the session, if it waits (fetch-work-item.FW2). */
  async #lockForOwner(work: Work, row: ActivityRow, refusals: Refusals): Promise<void> {
    const { session_id: sessionId = "", tag } = row.item;
    const ownerId = this.#parts.memory.sessions.get(sessionId)?.ownerId;
    if (ownerId === undefined) return;
    const reserved = this.#parts.memory.waitingForActivities.reserve(
      (request) =>
        request.session?.ownerId === ownerId &&
        acceptsTag(request.tagFilter, tag) &&
        hasActivity(request, handlerOf(row.item)),
    );
    if (reserved === undefined) return;
    try {
      const locked = await this.#attempt(work, row, reserved.request, refusals);
      if (typeof locked === "string" || reserved.give(locked)) return;
      const token = parseActivityToken(OPERATION, locked.lockToken);
      await undoActivity(work, token);
    } finally {
      reserved.release();
    }
  }

  async #attempt(
    work: Work,
    row: ActivityRow,
    options: FetchWorkOptions,
    refusals: Refusals,
  ): Promise<FetchedWork | NotLocked> {
    const { activities } = this.#parts.memory;
    activities.attempts.begin(row.id);
    let isLocked = false;
    try {
      const locked = await lockActivity(work, row, options);
      isLocked = typeof locked !== "string";
      if (locked === "taken") activities.remove(row.id);
      if (isLocked) activities.refused.delete(row.id);
      return locked;
    } catch (error) {
      const { instanceId } = row.document;
      noteRefused(work, activities, { instanceId, id: row.id }, error);
      if (!isRefusal(error) || ++refusals.count > MOST_REFUSED_LOCKS) throw error;
      activities.remove(row.id);
      return "taken";
    } finally {
      activities.attempts.end(row.id, isLocked);
    }
  }

  async #decode(found: readonly Stored[]): Promise<readonly ActivityRow[]> {
    const rows: ActivityRow[] = [];
    for (const document of found) {
      try {
        rows.push(toActivityRow(document));
      } catch (error) {
        await this.#moveToDeadLetters({ document, reason: messageOf(error) });
      }
    }
    return sortQueue(rows);
  }

  /** A ranked row that is due like others is one of an earlier version, or of another program. */
  #withoutRanked(rows: readonly ActivityRow[]): readonly ActivityRow[] {
    const ranked = rows.filter(({ item }) => rankedBy(item) !== undefined);
    if (ranked.length === 0) return rows;
    for (const row of ranked) this.#parts.memory.activities.put(row);
    return rows.filter((row) => !ranked.includes(row));
  }

  /** Ends what belongs to ranked rows. */
  close(): Promise<void> {
    return this.#ranked.close();
  }

  /** fetch-work-item.FW3. */
  async #moveToDeadLetters(row: Undecodable): Promise<void> {
    const { clock } = this.#parts;
    const { refused } = this.#parts.memory.activities;
    const { id } = row.document;
    if (refused.untilMs(id, clock.now()) !== undefined) return;
    const instanceId = String(row.document["instanceId"]);
    try {
      await moveToDeadLetters(new Work(this.#parts, OPERATION, BEST_EFFORT_MS), instanceId, [row]);
      refused.delete(id);
    } catch (error) {
      const seconds = Math.round(refused.add(id, clock.now()) / 1_000);
      const what = "an activity that cannot be decoded is not put aside";
      this.#parts.service.warn(`${what}: ${messageOf(error)}; it is tried again in ${seconds} s`, {
        instanceId,
      });
    }
  }

  #question({ tagFilter, session }: FetchWorkOptions): SqlQuerySpec {
    const condition = `${tagCondition(tagFilter)}${session === undefined ? ` AND ${WITHOUT_SESSION}` : ""}`;
    return spec(
      `SELECT * FROM c WHERE c.type = 'worker_queue' AND c.visibleAt <= @now AND ${UNLOCKED} AND ${condition}
        ORDER BY ${this.#parts.service.dueOrder}`,
      { "@now": this.#parts.clock.now(), "@tags": [...tagsOf(tagFilter)] },
    );
  }

  #ownsSessions(): boolean {
    for (const { sessionId } of this.#parts.memory.sessions.values())
      if (this.#ownsSession(sessionId)) return true;
    return false;
  }

  /** Whether a worker of this process owns the session: no other process may run its activities. */
  #ownsSession(sessionId: string | undefined): boolean {
    if (sessionId === undefined) return false;
    const { sessions } = this.#parts.memory;
    const owner = sessions.get(sessionId);
    if (owner === undefined || !this.#owners.has(owner.ownerId)) return false;
    return sessions.endOf(owner) > this.#parts.clock.now();
  }
}

/** The time until which an activity without code in this process is left to others. */
function forOthersUntilMs(row: ActivityRow, options: FetchWorkOptions, nowMs: number): number | undefined {
  if (hasActivity(options, handlerOf(row.item))) return undefined;
  const { blocked } = notesOf(row.document);
  return reservedForHandlersUntilMs({ visibleSinceMs: row.visibleAtMs, blocked }, nowMs);
}
