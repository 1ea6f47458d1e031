/** Finds an instance with something to do, and locks it (docs/reference/provider-contract.md §6). */
import { setImmediate } from "node:timers/promises";
import type { SqlQuerySpec } from "@azure/cosmos";
import {
  type FetchedOrchestration,
  type FetchOrchestrationOptions,
  toDurationMs,
} from "@duroxide-ts/core/stores";
import { CandidateLists } from "../fetching/candidate-lists.ts";
import type { Candidates } from "../fetching/candidates.ts";
import { longPoll } from "../fetching/long-poll.ts";
import type { Call } from "../requests/call.ts";
import { UNLOCKED } from "../schema/unlocked.ts";
import type { PartCondition } from "../slots/part.ts";
import type { Store } from "../store/store.ts";
import type { LockedTurn } from "../turn/held-turn.ts";
import { type Attempt, lockInstance, toTurn } from "../turn/lock-instance.ts";

const OPERATION = "fetchOrchestrationItem";

const QUERY = `SELECT c.id, c.instanceId, c.visibleAt, c.dispatchSlot FROM c
  WHERE c.type = 'orch_queue' AND c.visibleAt <= @now AND ${UNLOCKED}`;

interface Candidate {
  readonly id: string;
  readonly instanceId: string;
  readonly visibleAt: number;
  readonly dispatchSlot: unknown;
}

/** A fetch without a waiting time is given so long for its requests. */
const LEAST_MS = 5_000;

/** For a turn others need two requests in vain, so they come late. */
const HEAD_START_MS = 2_000;

/** The version of an execution does not change; only the next one may have another. */
const FOR_OTHERS_MS = 10_000;

/** Options that were checked. `asks` is equal for fetches that may have the same. */
interface AskedFetch extends FetchOrchestrationOptions {
  readonly asks: string;
}

export class OrchestrationFetches {
  readonly #store: Store;
  readonly #lists: CandidateLists<Candidate, Candidate>;

  constructor(store: Store) {
    this.#store = store;
    const { knowledge, turnsWanted } = store;
    this.#lists = new CandidateLists<Candidate, Candidate>(store, {
      queue: "orch_queue",
      headStartMs: HEAD_START_MS,
      waiting: turnsWanted,
      slotOf: ({ dispatchSlot }) => dispatchSlot,
      isNews: ({ id, instanceId }) => !knowledge.isKnown(instanceId, id),
      toCandidates: async (found) => found.toSorted((a, b) => a.visibleAt - b.visibleAt),
    });
  }

  #question({ text, parameters }: PartCondition): SqlQuerySpec {
    const condition = text === "" ? "" : ` AND ${text}`;
    return {
      query: `${QUERY}${condition} ORDER BY c.visibleAt`,
      parameters: [{ name: "@now", value: this.#store.clock.now() }, ...parameters],
    };
  }

  async fetch(options: FetchOrchestrationOptions): Promise<FetchedOrchestration | undefined> {
    const { clock, requests, turnsWanted, knowledge } = this.#store;
    const lockTimeoutMs = toDurationMs(OPERATION, "lockTimeoutMs", options.lockTimeoutMs);
    const pollTimeoutMs = toDurationMs(OPERATION, "pollTimeoutMs", options.pollTimeoutMs);
    const asks = asksOf(options);
    const checked = { ...options, lockTimeoutMs, pollTimeoutMs, asks };
    if (options.supportedVersions?.length === 0) {
      await turnsWanted.waitAlone(clock.now() + pollTimeoutMs, options.signal);
      return undefined;
    }
    const call = requests.call(OPERATION, Math.max(pollTimeoutMs, LEAST_MS), options.signal);
    const candidates = this.#lists.listFor({ asks, pollTimeoutMs }, (part) => this.#question(part));
    return longPoll({
      clock,
      call,
      pollTimeoutMs,
      signal: options.signal,
      waiting: turnsWanted,
      candidates,
      quietLook: this.#store.quietLook,
      asks,
      request: checked,
      attempt: (onFound) => this.#attempt(call, candidates, checked, onFound),
      accept: (locked) => this.#accept(call, candidates, checked, locked),
      nextDueMs: () => knowledge.nextDueMs,
    });
  }

  async #attempt(
    call: Call,
    candidates: Candidates<Candidate, Candidate>,
    options: AskedFetch,
    onFound: () => void,
  ): Promise<FetchedOrchestration | undefined> {
    const { clock, turnsWanted, turnsLeft, locking } = this.#store;
    const attempting = { asks: options.asks, waits: options.pollTimeoutMs > 0 };
    /** Attempts of others that were met, and may leave something. */
    const met = new Set<string>();
    while (!turnsWanted.closed && options.signal?.aborted !== true) {
      const found = this.#oldest(candidates, clock.now());
      const instanceId = found ?? (met.size > 0 ? await this.#left(call, met, onFound) : undefined);
      if (instanceId === undefined) return undefined;
      if (locking.has(instanceId)) {
        if (locking.mayLeave(instanceId, attempting)) met.add(instanceId);
        continue;
      }
      const isOfInstance = (each: Candidate): boolean => each.instanceId === instanceId;
      const leftUntilMs = candidates.isShared ? turnsLeft.untilMs(instanceId, clock.now()) : undefined;
      if (leftUntilMs !== undefined) {
        candidates.pass(isOfInstance, leftUntilMs);
        continue;
      }
      onFound();
      const attempt = await this.#lock(call, instanceId, options);
      if (attempt.fetched === undefined) {
        if (attempt.isForOthers === true) candidates.pass(isOfInstance, clock.now() + FOR_OTHERS_MS);
        continue;
      }
      candidates.drop(isOfInstance);
      return attempt.fetched;
    }
    return undefined;
  }

  async #accept(
    call: Call,
    candidates: Candidates<Candidate, Candidate>,
    options: FetchOrchestrationOptions,
    locked: LockedTurn,
  ): Promise<FetchedOrchestration | undefined> {
    const { instanceId } = locked.turn;
    candidates.drop((each) => each.instanceId === instanceId);
    // Whoever committed the turn before shall have noted first that it holds its history.
    await setImmediate();
    return toTurn(this.#store, call, locked, options);
  }

  /** Of what is known here and what was found there. */
  #oldest(candidates: Candidates<Candidate, Candidate>, nowMs: number): string | undefined {
    const { knowledge } = this.#store;
    const isGone = (each: Candidate): boolean => knowledge.isGone(each.instanceId, each.id);
    let found = candidates.first();
    while (found !== undefined && isGone(found)) {
      candidates.take();
      found = candidates.first();
    }
    const known =
      found === undefined || knowledge.nextDueMs <= found.visibleAt ? knowledge.takeDue(nowMs) : undefined;
    return known ?? candidates.take()?.instanceId;
  }

  /** The first instance whose attempt ends without the lock; `undefined` where all have got it. */
  async #left(call: Call, met: Set<string>, onFound: () => void): Promise<string | undefined> {
    for (const instanceId of met) {
      onFound();
      met.delete(instanceId);
      if (await this.#store.locking.isLeft(instanceId, call)) return instanceId;
    }
    return undefined;
  }

  async #lock(call: Call, instanceId: string, options: AskedFetch): Promise<Attempt> {
    const { knowledge, clock, locking } = this.#store;
    locking.begin(instanceId, options.asks);
    let isLocked = false;
    try {
      const attempt = await lockInstance(this.#store, call, instanceId, options);
      isLocked = attempt.fetched !== undefined;
      if (attempt.fetched === undefined && Number.isFinite(attempt.againAtMs)) {
        knowledge.expect(instanceId, attempt.againAtMs);
      }
      return attempt;
    } catch (error) {
      knowledge.expect(instanceId, clock.now());
      throw error;
    } finally {
      locking.end(instanceId, isLocked);
    }
  }
}

/** Equal for fetches that may have the same. */
function asksOf({ supportedVersions }: FetchOrchestrationOptions): string {
  return JSON.stringify(supportedVersions ?? "all");
}
