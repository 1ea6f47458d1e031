/** Finds an activity that the worker may take, and locks it (docs/reference/provider-contract.md §10 to §12). */
import type { SqlQuerySpec } from "@azure/cosmos";
import {
  acceptsTag,
  checkTagFilter,
  type FetchedWork,
  type FetchWorkOptions,
  type SessionClaim,
  toDurationMs,
} from "@duroxide-ts/core/stores";
import { CandidateLists } from "../fetching/candidate-lists.ts";
import type { Candidates } from "../fetching/candidates.ts";
import { longPoll } from "../fetching/long-poll.ts";
import { parseActivityToken } from "../lock-token.ts";
import { messageOf } from "../message-of.ts";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import { compareQueued, sortQueue } from "../schema/queue-order.ts";
import { type ActivityRow, toActivityRow } from "../schema/rows.ts";
import { UNLOCKED } from "../schema/unlocked.ts";
import type { PartCondition } from "../slots/part.ts";
import { LockAttempts } from "../store/lock-attempts.ts";
import type { Store } from "../store/store.ts";
import { putAside } from "../turn/put-aside.ts";
import { undoActivity } from "../work/give-back-activity.ts";
import { lockActivity, type NotLocked } from "../work/lock-activity.ts";
import { tagCondition, tagsOf } from "../work/tag-condition.ts";

const OPERATION = "fetchWorkItem";

/** A fetch without a waiting time is given so long for its requests. */
const LEAST_MS = 5_000;

/** Of one question; what it leaves out waits a little longer. */
const MOST_SESSIONS = 100;

/** So that a worker idles no longer than that while there is work in the slots of others. */
const HEAD_START_MS = 200;

const WITHOUT_SESSION = "(NOT IS_DEFINED(c.sessionId) OR c.sessionId = null)";

/** By one look of one fetch: rows that it could not have, and rows that another fetch was about to lock. */
interface Tried {
  readonly vain: Set<string>;
  readonly met: Map<string, ActivityRow>;
}

export class WorkFetches {
  readonly #store: Store;
  readonly #lists: CandidateLists<Stored, ActivityRow>;
  /** Those who have fetched here. */
  readonly #owners = new Set<string>();
  /** Rows that this process is about to lock. */
  readonly #underWay: LockAttempts;

  constructor(store: Store) {
    this.#store = store;
    const { ready, activitiesWanted } = store;
    this.#underWay = new LockAttempts(store.clock);
    this.#lists = new CandidateLists<Stored, ActivityRow>(store, {
      queue: "worker_queue",
      headStartMs: HEAD_START_MS,
      waiting: activitiesWanted,
      slotOf: ({ document }) => document.dispatchSlot,
      isNews: ({ id }) => !ready.has(id),
      toCandidates: (found, call) => this.#decode(found, call),
    });
  }

  async fetch(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
    const { clock, requests, activitiesWanted, ready } = this.#store;
    const lockTimeoutMs = toDurationMs(OPERATION, "lockTimeoutMs", options.lockTimeoutMs);
    const pollTimeoutMs = toDurationMs(OPERATION, "pollTimeoutMs", options.pollTimeoutMs);
    const session = checkedSession(options.session);
    checkTagFilter(OPERATION, options.tagFilter);
    if (options.tagFilter.kind === "none") {
      await activitiesWanted.waitAlone(clock.now() + pollTimeoutMs, options.signal);
      return undefined;
    }
    if (session !== undefined) this.#owners.add(session.ownerId);
    const call = requests.call(OPERATION, Math.max(pollTimeoutMs, LEAST_MS), options.signal);
    const asks = asksOf(options);
    const candidates = this.#lists.listFor({ asks, pollTimeoutMs }, (part) => this.#question(options, part));
    const request = { ...options, lockTimeoutMs, ...(session && { session }) };
    return longPoll({
      clock,
      call,
      pollTimeoutMs,
      signal: options.signal,
      waiting: activitiesWanted,
      candidates,
      quietLook: this.#store.quietLook,
      asks,
      request,
      attempt: (onFound) => this.#attempt(call, candidates, request, onFound),
      accept: async (locked) => locked,
      nextDueMs: () => ready.nextDueMs(clock.now()),
    });
  }

  async #attempt(
    call: Call,
    candidates: Candidates<Stored, ActivityRow>,
    options: FetchWorkOptions,
    onFound: () => void,
  ): Promise<FetchedWork | undefined> {
    const { activitiesWanted } = this.#store;
    const tried: Tried = { vain: new Set(), met: new Map() };
    while (!activitiesWanted.closed && options.signal?.aborted !== true) {
      const found = this.#next(candidates, options, tried);
      const row = found ?? (tried.met.size > 0 ? await this.#left(call, tried.met) : undefined);
      if (row === undefined) return undefined;
      tried.vain.add(row.id);
      onFound();
      const locked = await this.#lock(call, row, options);
      const isRow = ({ id }: ActivityRow): boolean => id === row.id;
      if (locked === "taken") continue;
      if (locked === "elsewhere") {
        // Its session may be given up at any time, and looking costs nothing: the owner is remembered.
        candidates.pass(isRow, 0);
        await this.#lockForOwner(call, row);
        continue;
      }
      candidates.drop(isRow);
      return locked;
    }
    return undefined;
  }

  /** The first row whose attempt ends without the lock; `undefined` where all have got it. */
  async #left(call: Call, met: Map<string, ActivityRow>): Promise<ActivityRow | undefined> {
    for (const [id, row] of met) {
      met.delete(id);
      while (await this.#underWay.isLeft(id, call)) if (!this.#underWay.has(id)) return row;
    }
    return undefined;
  }

  /** The older one of what is known here and what was found there. */
  #next(
    candidates: Candidates<Stored, ActivityRow>,
    { tagFilter, session, pollTimeoutMs }: FetchWorkOptions,
    { vain, met }: Tried,
  ): ActivityRow | undefined {
    const { ready, clock, activitiesLeft } = this.#store;
    const nowMs = clock.now();
    const mayHave = ({ id, item }: ActivityRow): boolean =>
      !vain.has(id) &&
      acceptsTag(tagFilter, item.tag) &&
      !(candidates.isShared && activitiesLeft.untilMs(id, nowMs) !== undefined) &&
      (item.session_id === undefined || session !== undefined);
    const accepts = (row: ActivityRow): boolean => {
      if (!mayHave(row)) return false;
      if (!this.#underWay.has(row.id)) return true;
      // One that waits is found by the attempt itself, which looks for the owner of the session.
      if (pollTimeoutMs === 0) met.set(row.id, row);
      return false;
    };
    const known = ready.first(nowMs, accepts);
    for (;;) {
      const found = candidates.first();
      if (found === undefined) return known;
      if (accepts(found)) {
        if (known !== undefined && compareQueued(known, found) < 0) return known;
        return candidates.take();
      }
      candidates.take();
    }
  }

  /** For the worker of this process that has the session, where it waits. */
  async #lockForOwner(call: Call, row: ActivityRow): Promise<void> {
    const { sessions, activitiesWanted } = this.#store;
    const { session_id: sessionId = "", tag } = row.item;
    const ownerId = sessions.get(sessionId)?.ownerId;
    if (ownerId === undefined) return;
    const reserved = activitiesWanted.reserve(
      ({ session, tagFilter }) => session?.ownerId === ownerId && acceptsTag(tagFilter, tag),
    );
    if (reserved === undefined) return;
    try {
      const locked = await this.#lock(call, row, reserved.request);
      if (typeof locked === "string" || reserved.give(locked)) return;
      const token = parseActivityToken(OPERATION, locked.lockToken);
      await undoActivity(this.#store, OPERATION, token);
    } finally {
      reserved.release();
    }
  }

  async #lock(call: Call, row: ActivityRow, options: FetchWorkOptions): Promise<FetchedWork | NotLocked> {
    this.#underWay.begin(row.id);
    let isLocked = false;
    try {
      const locked = await lockActivity(this.#store, call, row, options);
      isLocked = typeof locked !== "string";
      if (locked === "taken") this.#store.ready.remove(row.id);
      return locked;
    } finally {
      this.#underWay.end(row.id, isLocked);
    }
  }

  async #decode(found: readonly Stored[], call: Call): Promise<readonly ActivityRow[]> {
    const rows: ActivityRow[] = [];
    for (const document of found) {
      try {
        rows.push(toActivityRow(document));
      } catch (error) {
        const reason = messageOf(error);
        await putAside(this.#store, call, String(document["instanceId"]), [{ document, reason }]);
      }
    }
    return sortQueue(rows);
  }

  #question({ tagFilter, session }: FetchWorkOptions, { text, parameters }: PartCondition): SqlQuerySpec {
    const condition = `${tagCondition(tagFilter)}${session === undefined ? ` AND ${WITHOUT_SESSION}` : ""}`;
    const part = text === "" ? "" : ` AND (${text} OR ARRAY_CONTAINS(@sessions, c.sessionId))`;
    return {
      query: `SELECT * FROM c WHERE c.type = 'worker_queue' AND c.visibleAt <= @now AND ${UNLOCKED} AND ${condition}${part}
        ORDER BY c.visibleAt`,
      parameters: [
        { name: "@now", value: this.#store.clock.now() },
        { name: "@tags", value: [...tagsOf(tagFilter)] },
        { name: "@sessions", value: text === "" ? [] : this.#ownSessions() },
        ...parameters,
      ],
    };
  }

  /** What belongs to a session waits for its owner, whatever its slot. */
  #ownSessions(): string[] {
    const own: string[] = [];
    for (const { sessionId, ownerId, lockedUntilMs } of this.#store.sessions.values()) {
      if (this.#owners.has(ownerId) && lockedUntilMs > this.#store.clock.now()) own.push(sessionId);
      if (own.length >= MOST_SESSIONS) break;
    }
    return own;
  }
}

/** Equal for fetches that may have the same, sessions that one of them owns aside. */
function asksOf({ tagFilter, session }: FetchWorkOptions): string {
  return JSON.stringify([tagFilter, session !== undefined]);
}

function checkedSession(session: SessionClaim | undefined): SessionClaim | undefined {
  if (session === undefined) return undefined;
  const lockTimeoutMs = toDurationMs(OPERATION, "session.lockTimeoutMs", session.lockTimeoutMs);
  return { ...session, lockTimeoutMs };
}
