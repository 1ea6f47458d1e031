/** Finds an instance with something to do, and locks it (docs/reference/provider-contract.md §6). */
import type { SqlQuerySpec } from "@azure/cosmos";
import {
  checkFetchOrchestration,
  digestOfNames,
  type FetchedOrchestration,
  type FetchOrchestrationOptions,
  nextRound,
} from "@duroxide-ts/core/stores";
import { restartDue } from "../admin/restart-instance.ts";
import { UNLOCKED } from "../documents/unlocked.ts";
import { CandidateLists } from "../fetching/candidate-lists.ts";
import type { Candidates } from "../fetching/candidates.ts";
import { type Attempt, beginTurn, lockInstance } from "../fetching/lock-instance.ts";
import { type Asked, longPoll } from "../fetching/long-poll.ts";
import { noteRefused, type Refusals } from "../fetching/note-refused.ts";
import { readFirst } from "../fetching/read-first.ts";
import type { Searches } from "../fetching/searches.ts";
import type { Item } from "../fetching/try-each.ts";
import type { LockedTurn, UnreadTurn } from "../memory/held.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { LEAST_FETCH_MS, MOST_REFUSED_LOCKS, WRITE_PATIENCE_MS } from "../memory/waits.ts";
import { spec } from "../service/spec.ts";
import { InstanceAdmission } from "./admit-instances.ts";

const OPERATION = "fetchOrchestrationItem";

const QUERY = `SELECT c.id, c.instanceId, c.visibleAt FROM c
  WHERE c.type = 'orch_queue' AND c.visibleAt <= @now AND ${UNLOCKED}`;

interface Candidate {
  readonly id: string;
  readonly instanceId: string;
  readonly visibleAt: number;
}

type Found = Candidates<Candidate, Candidate>;

type AskedFetch = Asked<FetchOrchestrationOptions>;

export class OrchestrationFetches {
  readonly #parts: Parts;
  readonly #searches: Searches;
  readonly #lists: CandidateLists<Candidate, Candidate>;
  readonly #admission: InstanceAdmission;

  constructor(parts: Parts, searches: Searches) {
    this.#parts = parts;
    this.#searches = searches;
    this.#admission = new InstanceAdmission(parts, searches);
    this.#lists = new CandidateLists<Candidate, Candidate>(parts, searches, {
      queue: "orch_queue",
      waiting: parts.memory.waitingForTurns,
      rowOf: ({ instanceId, visibleAt }) => ({ instanceId, visibleAtMs: visibleAt }),
      isNews: ({ id, instanceId }) => !parts.memory.instances.isKnown(instanceId, id, parts.clock.now()),
      toCandidates: async (found) => found,
      sort: (candidates) => candidates.toSorted((a, b) => a.visibleAt - b.visibleAt),
    });
  }

  async fetch(options: FetchOrchestrationOptions): Promise<FetchedOrchestration | undefined> {
    const { clock } = this.#parts;
    const checked = { ...checkFetchOrchestration(options), asks: this.#asksOf(options) };
    const { pollTimeoutMs, asks } = checked;
    const waiting = this.#parts.memory.waitingForTurns;
    if (options.supportedVersions?.length === 0) {
      await waiting.waitAlone(clock.now() + pollTimeoutMs, options.signal);
      return undefined;
    }
    const work = new Work(this.#parts, OPERATION, Math.max(pollTimeoutMs, LEAST_FETCH_MS), options.signal);
    const candidates = this.#lists.listFor({ asks, pollTimeoutMs }, () => this.#question());
    return longPoll({
      prepare: (isOnce) => (this.#admission.isActive ? this.#admission.admit(work, isOnce) : undefined),
      request: checked,
      work,
      attempts: this.#parts.memory.turns.attempts,
      waiting,
      candidates,
      idlePoll: this.#searches.idlePoll,
      pass: () => {
        const refusals: Refusals = { count: 0 };
        return {
          next: (isBusy) => this.#next(candidates, isBusy),
          lock: ({ id }) => this.#lock(work, id, checked, candidates, refusals),
        };
      },
      accept: (claimed) => this.#accept(work, candidates, checked, claimed),
      nextDueMs: () => Math.min(this.#parts.memory.instances.nextMs(clock.now()), this.#admission.nextMs),
    });
  }

  #question(): SqlQuerySpec {
    return spec(`${QUERY} ORDER BY ${this.#parts.service.dueOrder}`, { "@now": this.#parts.clock.now() });
  }

  /** The next instance. Skips work that is left to other processes. */
  #next(candidates: Found, isBusy: (item: Item) => boolean): Item | undefined {
    const { left, refused } = this.#parts.memory.turns;
    const { isShared } = candidates;
    for (let id = this.#oldest(candidates); id !== undefined; id = this.#oldest(candidates)) {
      if (isBusy({ id })) continue;
      const nowMs = this.#parts.clock.now();
      const refusedUntilMs = refused.untilMs(id, nowMs);
      if (refusedUntilMs !== undefined) this.#parts.memory.instances.expect(id, refusedUntilMs);
      const untilMs = refusedUntilMs ?? (isShared ? left.untilMs(id, nowMs) : undefined);
      if (untilMs === undefined) return { id };
      candidates.pass((each) => each.instanceId === id, untilMs);
    }
    return undefined;
  }

  /** The work in memory and the work that a query found. */
  #oldest(candidates: Found): string | undefined {
    const { instances } = this.#parts.memory;
    const nowMs = this.#parts.clock.now();
    let found = candidates.first();
    while (found !== undefined && instances.isGone(found.instanceId, found.id, nowMs)) {
      candidates.take();
      found = candidates.first();
    }
    const isKnownFirst = found === undefined || instances.nextMs(nowMs) <= found.visibleAt;
    const known = isKnownFirst ? instances.takeDue(nowMs) : undefined;
    return known ?? candidates.take()?.instanceId;
  }

  async #lock(
    work: Work,
    instanceId: string,
    options: AskedFetch,
    candidates: Found,
    refusals: Refusals,
  ): Promise<FetchedOrchestration | undefined> {
    const isOfInstance = (each: Candidate): boolean => each.instanceId === instanceId;
    const { fetched, forOthersUntilMs, isTaken } = await this.#attempt(work, instanceId, options, refusals);
    if (fetched !== undefined) candidates.drop(isOfInstance);
    else if (isTaken === true) candidates.lose(isOfInstance);
    // Also where another fetch has the instance: its messages are listed while it is locked, and are no news.
    else candidates.pass(isOfInstance, forOthersUntilMs ?? 0);
    return fetched;
  }

  async #attempt(work: Work, instanceId: string, options: AskedFetch, refusals: Refusals): Promise<Attempt> {
    const { instances, turns } = this.#parts.memory;
    turns.attempts.begin(instanceId, options.asks);
    let isLocked = false;
    try {
      const attempt = await lockInstance(work, instanceId, options);
      if (attempt.restart !== undefined) await restartDue(work.within(WRITE_PATIENCE_MS), attempt.restart);
      isLocked = attempt.fetched !== undefined;
      if (isLocked) turns.refused.delete(instanceId);
      if (Number.isFinite(attempt.againAtMs)) instances.expect(instanceId, attempt.againAtMs);
      return attempt;
    } catch (error) {
      const nowMs = this.#parts.clock.now();
      const againAtMs = nowMs + noteRefused(work, turns, { instanceId, id: instanceId }, error);
      // The known message would make it due at once.
      if (againAtMs > nowMs) instances.forget(instanceId, nowMs);
      instances.expect(instanceId, againAtMs);
      if (againAtMs > nowMs && ++refusals.count <= MOST_REFUSED_LOCKS)
        return { fetched: undefined, againAtMs };
      throw error;
    } finally {
      turns.attempts.end(instanceId, isLocked);
    }
  }

  /** Equal for fetches that accept the same work. */
  #asksOf({ supportedVersions, orchestrations, versions }: FetchOrchestrationOptions): string {
    const digests = [orchestrations, versions].map((names) => names && digestOfNames(names));
    return JSON.stringify([supportedVersions ?? "all", ...digests]);
  }

  async #accept(
    work: Work,
    candidates: Found,
    options: FetchOrchestrationOptions,
    claimed: LockedTurn | UnreadTurn,
  ): Promise<FetchedOrchestration | undefined> {
    const { instanceId } = "unread" in claimed ? claimed.unread : claimed.turn;
    candidates.drop((each) => each.instanceId === instanceId);
    // Lets the previous commit record the history that it holds before this turn starts.
    await nextRound();
    const locked = "unread" in claimed ? await readFirst(work, claimed, options) : claimed;
    return locked && beginTurn(work, locked, options);
  }
}
