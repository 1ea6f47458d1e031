/** The worker queue: locks, tags and sessions of activities (docs/reference/provider-contract.md §10 to §12). */
import { isDeepStrictEqual } from "node:util";
import type {
  AbandonOptions,
  ActivityExecute,
  ActivityId,
  ActivityOutcome,
  FetchedWork,
  FetchWorkOptions,
  ProviderErrorCode,
  RenewOptions,
  TagFilter,
} from "@duroxide-ts/core/stores";
import { blockAfter, blockedActivity, complainOfBlock } from "./blocked.ts";
import { allows, Complaint, type Expectation, refuses, returns } from "./expectation.ts";
import { literal } from "./literal.ts";
import { withMessages } from "./orchestrator-queue.ts";
import { acceptsSession, claimSession, touchSession } from "./sessions.ts";
import { type Activity, instanceOf, isHeld, type State } from "./state.ts";

export function enqueueForWorker(state: State, item: ActivityExecute): Expectation {
  if (item.kind !== "ActivityExecute") return refuses("invalid-input");
  return returns(undefined, withActivities(state, [item]));
}

export function withActivities(state: State, items: readonly ActivityExecute[]): State {
  const activities = items.map((item) => ({
    item,
    addedAtMs: state.nowMs,
    visibleAtMs: state.nowMs,
    attempts: 0,
    loneRuns: 0,
    lock: undefined,
    block: undefined,
  }));
  return { ...state, activities: [...state.activities, ...activities] };
}

/** Locked ones too; unknown ones do not matter. */
export function withoutActivities(state: State, cancelled: readonly ActivityId[]): State {
  const isCancelled = ({ item }: Activity): boolean =>
    cancelled.some(
      ({ instanceId, executionId, activityId }) =>
        instanceId === item.instance && executionId === item.execution_id && activityId === item.id,
    );
  return { ...state, activities: state.activities.filter((activity) => !isCancelled(activity)) };
}

/** The oldest that is eligible, and no other. */
export function fetchWorkItem(state: State, options: FetchWorkOptions): Expectation {
  const { session, lockTimeoutMs } = options;
  const candidates = oldestEligible(state, options);
  if (candidates.length === 0) return returns(undefined, state);
  const wanted = candidates
    .map(({ item, attempts }) => `${literal(item)}, attempt ${attempts + 1}`)
    .join(" or ");
  return allows<FetchedWork | undefined>(wanted, (fetched) => {
    const next = candidates.find(({ item }) => isDeepStrictEqual(fetched?.item, item));
    if (fetched === undefined || next === undefined) return new Complaint(wanted);
    if (fetched.attemptCount !== next.attempts + 1) return new Complaint(`attempt ${next.attempts + 1}`);
    if ((fetched.loneRuns ?? 0) !== next.loneRuns) return new Complaint(`loneRuns: ${next.loneRuns}`);
    const ofBlock = complainOfBlock(fetched.blocked, blockedActivity(next));
    if (ofBlock !== undefined) return ofBlock;
    const { lockToken: token } = fetched;
    if (token === "" || state.tokens.has(token)) return new Complaint("a lock token of its own");
    const requester = requesterOf(state, next);
    if (fetched.orchestration !== undefined && !isDeepStrictEqual(fetched.orchestration, requester)) {
      return new Complaint(`orchestration: ${literal(requester)}`);
    }
    const lock = { token, untilMs: state.nowMs + lockTimeoutMs };
    const locked = changeActivity(state, next, { lock, attempts: next.attempts + 1 });
    const claimed = session === undefined ? locked : claimSession(locked, session, next.item.session_id);
    return { ...claimed, tokens: new Set([...state.tokens, token]) };
  });
}

/** One, or where the store does not tell those of one millisecond apart, all of the first one's. */
function oldestEligible(state: State, { session, tagFilter }: FetchWorkOptions): readonly Activity[] {
  const eligible = state.activities.filter(
    (activity) =>
      activity.visibleAtMs <= state.nowMs &&
      !isHeld(activity.lock, state) &&
      acceptsTag(tagFilter, activity.item.tag) &&
      acceptsSession(state, session, activity.item.session_id),
  );
  const [first] = eligible;
  return state.activityOrder === "as-added"
    ? eligible.slice(0, 1)
    : eligible.filter(({ addedAtMs }) => addedAtMs === first?.addedAtMs);
}

function acceptsTag(filter: TagFilter, tag: string | undefined): boolean {
  switch (filter.kind) {
    case "any":
      return true;
    case "none":
      return false;
    case "default-only":
      return tag === undefined;
    case "tags":
      return tag !== undefined && filter.tags.includes(tag);
    case "default-and":
      return tag === undefined || filter.tags.includes(tag);
  }
}

function requesterOf(state: State, { item }: Activity): FetchedWork["orchestration"] {
  const { identity } = instanceOf(state, item.instance);
  return identity === undefined ? undefined : { name: identity.name, version: identity.version };
}

function changeActivity(state: State, changed: Activity, change: Partial<Activity>): State {
  const activities = state.activities.map((each) => (each === changed ? { ...each, ...change } : each));
  return { ...state, activities };
}

/** The activity that is locked with the token, its lock expired or not. */
function lockedBy({ activities }: State, token: string): Activity | undefined {
  return activities.find(({ lock }) => lock?.token === token);
}

export function ackWorkItem(state: State, token: string, outcome?: ActivityOutcome): Expectation {
  const activity = lockedBy(state, token);
  const reasons: ProviderErrorCode[] = [];
  if (!isHeld(activity?.lock, state)) reasons.push("lock-lost");
  if (outcome !== undefined && !OUTCOMES.includes(outcome.kind)) reasons.push("invalid-input");
  if (activity === undefined || reasons.length > 0) return refuses(...reasons);
  const rest = { ...state, activities: state.activities.filter((each) => each !== activity) };
  const touched = touchSession(rest, activity.item.session_id);
  return returns(
    undefined,
    withMessages(touched, outcome === undefined ? [] : [outcome], () => state.nowMs),
  );
}

const OUTCOMES: readonly string[] = [
  "ActivityCompleted",
  "ActivityFailed",
] satisfies ActivityOutcome["kind"][];

/** Valid locks only. */
export function renewWorkItemLock(
  state: State,
  token: string,
  extendMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions = {},
): Expectation {
  const activity = lockedBy(state, token);
  const held = activity?.lock;
  if (activity === undefined || held === undefined || !isHeld(held, state)) return refuses("lock-lost");
  const renewed = {
    lock: { ...held, untilMs: Math.max(held.untilMs, state.nowMs + extendMs) },
    attempts: Math.max(0, activity.attempts - (ignoreAttempt ? 1 : 0)),
    loneRuns: alone ? activity.loneRuns + 1 : activity.loneRuns,
  };
  return returns(undefined, touchSession(changeActivity(state, activity, renewed), activity.item.session_id));
}

/** An expired lock may be released if no other fetch has taken it. */
export function abandonWorkItem(
  state: State,
  token: string,
  { delayMs = 0, ignoreAttempt = false, blocked }: AbandonOptions = {},
): Expectation {
  const activity = lockedBy(state, token);
  if (activity === undefined) return refuses("lock-lost");
  const given = {
    lock: undefined,
    visibleAtMs: state.nowMs + delayMs,
    attempts: Math.max(0, activity.attempts - (ignoreAttempt ? 1 : 0)),
    block: blockAfter(activity.block, blocked),
  };
  return returns(undefined, changeActivity(state, activity, given));
}
