/** Faults in the worker queue, in sessions and in waiting. */
import type { Mutant } from "./mutant.ts";

const FETCH = "operations/fetch-work-item.ts";
const LEFT = "left-work.ts";
const ACK = "operations/ack-work-item.ts";
const ABANDON = "operations/abandon-work-item.ts";
const SESSIONS = "operations/sessions.ts";
const PERMITS = "limits/permits.ts";
const NEXT = "limits/next-activity.ts";
const WAITING = "long-poll.ts";

export const workMutants: readonly Mutant[] = [
  {
    name: "fetches activities that are locked",
    file: FETCH,
    find: "      !isActivityLocked(candidate, nowMs) &&\n",
    replace: "",
  },
  {
    name: "fetches activities before their delay is over",
    file: FETCH,
    find: "      (candidate.visibleAtMs <= nowMs || isReleasedTo(candidate, options)) &&\n",
    replace: "",
  },
  {
    name: "ignores the tag filter",
    file: FETCH,
    find: "      acceptsTag(tagFilter, candidate.tag) &&\n",
    replace: "",
  },
  {
    name: "gives tagged activities to fetches that asked for untagged ones",
    file: FETCH,
    find: "acceptsTag(tagFilter, candidate.tag)",
    replace: '(tagFilter.kind === "default-only" || acceptsTag(tagFilter, candidate.tag))',
  },
  {
    name: "gives steps to fetches without the code of their orchestrations",
    file: FETCH,
    find: " && !isActivityForOthers(store, row, options)",
    replace: "",
  },
  {
    name: "keeps a permit after its lock has ended",
    file: PERMITS,
    find: "isActivityLocked(row, nowMs)",
    replace: "row.lockToken !== undefined",
  },
  {
    name: "counts the permits of a key alone, without those under it",
    file: PERMITS,
    find: "isUnder(row.limit, key)",
    replace: "row.limit === key",
  },
  {
    name: "counts no begin for a rate",
    file: PERMITS,
    find: "store.spentRates.set(level, afterBegin(limit.rule, limit.perMs, spent, nowMs));",
    replace: "",
  },
  {
    name: "serves the key that was served last again",
    file: NEXT,
    find: "    .sort((a, b) => rank(a, nowMs) - rank(b, nowMs) || turnOf(store, a) - turnOf(store, b));",
    replace: "    .sort((a, b) => rank(a, nowMs) - rank(b, nowMs));",
  },
  {
    name: "lets work of a low priority wait without an end",
    file: NEXT,
    find: "isOverdue(oldest.queuedAtMs, nowMs)",
    replace: "isOverdue(oldest.queuedAtMs, 0)",
  },
  {
    name: "gives steps to fetches with an activity of their name",
    file: LEFT,
    find: "if (hasActivity(options, handlerOf(toActivity(row)))) return false;",
    replace: "if (hasActivity(options, toActivity(row).name)) return false;",
  },
  {
    name: "gives untagged activities to fetches that asked for a tag",
    file: FETCH,
    find: "acceptsTag(tagFilter, candidate.tag)",
    replace: "(candidate.tag === undefined || acceptsTag(tagFilter, candidate.tag))",
  },
  {
    name: "compares tags without regard to case",
    file: FETCH,
    find: "acceptsTag(tagFilter, candidate.tag)",
    replace:
      "[candidate.tag, candidate.tag?.toUpperCase(), candidate.tag?.toLowerCase()].some((tag) => acceptsTag(tagFilter, tag))",
  },
  {
    name: "ignores the owner of a session",
    file: FETCH,
    find: "session.ownerId === claim.ownerId",
    replace: "session.ownerId !== undefined",
  },
  {
    name: "never gives a session to another than its first owner",
    file: FETCH,
    find: "session === undefined || session.lockedUntilMs <= nowMs || ",
    replace: "session === undefined || ",
  },
  {
    name: "gives session activities to workers without sessions",
    file: FETCH,
    find: "if (claim === undefined) return false;",
    replace: "if (claim === undefined) return true;",
  },
  {
    name: "does not claim a session",
    file: FETCH,
    find: "  if (session !== undefined) claimSession(store, session, row, nowMs);\n",
    replace: "  void session;\n  void claimSession;\n",
  },
  {
    name: "scopes sessions to their instance",
    file: FETCH,
    find: "acceptsSession(store, session, candidate.sessionId, nowMs),",
    replace:
      "(store.activities.find((row) => row.sessionId === candidate.sessionId && row.lockToken !== undefined)?.instanceId !== candidate.instanceId ||\n        acceptsSession(store, session, candidate.sessionId, nowMs)),",
  },
  {
    name: "looks at the head of the worker queue only",
    file: FETCH,
    find: "const eligible = store.activities.filter(",
    replace: "const eligible = store.activities.slice(0, 8).filter(",
  },
  {
    name: "serves the youngest activity first",
    file: FETCH,
    find: "eligible.find(",
    replace: "eligible.findLast(",
  },
  {
    name: "counts no attempts of activities",
    file: FETCH,
    find: "  row.attemptCount++;\n",
    replace: "",
  },
  {
    name: "completes activities whose lock has expired",
    file: "locks.ts",
    find: "if (!isActivityLocked(row, nowMs)) throw ProviderError.lockLost(operation);",
    replace: "void nowMs;",
  },
  {
    name: "keeps the activity when it is completed",
    file: ACK,
    find: "store.activities = store.activities.filter((row) => row !== acked);",
    replace: "",
  },
  {
    name: "loses the completion",
    file: ACK,
    find: "if (message !== undefined) store.messages.push(message);",
    replace: "void message;",
  },
  {
    name: "accepts any message as an outcome",
    file: ACK,
    find: "if (outcome !== undefined) checkOutcome(outcome);",
    replace: "void checkOutcome;",
  },
  {
    name: "does not count a completion as use of the session",
    file: ACK,
    find: "touchSession(store, acked.sessionId, nowMs);",
    replace: "void touchSession;",
  },
  {
    name: "does not count a renewal as use of the session",
    file: "operations/renew-work-item-lock.ts",
    find: "touchSession(store, row.sessionId, nowMs);",
    replace: "void touchSession;",
  },
  {
    name: "does not extend an activity's lock",
    file: "operations/renew-work-item-lock.ts",
    find: "row.lockedUntilMs = Math.max(row.lockedUntilMs, nowMs + extensionMs);",
    replace: "void extensionMs;",
  },
  {
    name: "gives an activity back without its delay",
    file: ABANDON,
    find: "row.visibleAtMs = nowMs + delayMs",
    replace: "row.visibleAtMs = nowMs + 0 * delayMs",
  },
  {
    name: "keeps the lock of an activity that was given back",
    file: ABANDON,
    find: "row.lockToken = undefined;",
    replace: "",
  },
  {
    name: "puts an activity that was given back at the end of the queue",
    file: ABANDON,
    find: "row.lockToken = undefined;",
    replace:
      "row.lockToken = undefined;\n  store.activities = [...store.activities.filter((each) => each !== row), row];",
  },
  {
    name: "counts an attempt at an activity that was to be ignored",
    file: ABANDON,
    find: "if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);",
    replace: "void ignoreAttempt;",
  },
  {
    name: "renews the sessions of every owner",
    file: SESSIONS,
    find: "ownerIds.includes(ownerId) && ",
    replace: "(ownerIds.length < 0 || ownerId.length > 0) && ",
  },
  {
    name: "revives expired sessions",
    file: SESSIONS,
    find: "lockedUntilMs > nowMs && lastActivityAtMs",
    replace: "lockedUntilMs > 0 && lastActivityAtMs",
  },
  {
    name: "renews idle sessions",
    file: SESSIONS,
    find: " && lastActivityAtMs > nowMs - idleTimeoutMs",
    replace: " && lastActivityAtMs > nowMs - idleTimeoutMs - 1e9",
  },
  {
    name: "removes sessions that live",
    file: SESSIONS,
    find: "lockedUntilMs >= nowMs || needed",
    replace: "needed",
  },
  {
    name: "removes sessions that have work",
    file: SESSIONS,
    find: " || needed.has(sessionId)",
    replace: ' || needed.has(sessionId.concat("?"))',
  },
  {
    name: "returns from a fetch before its time is over",
    file: WAITING,
    find: "this.#clock.schedule(pollTimeoutMs, giveUp)",
    replace: "this.#clock.schedule(Math.min(pollTimeoutMs, 100), giveUp)",
  },
  {
    name: "does not wake the waiting fetches",
    file: WAITING,
    find: "      for (const { retry } of [...this.#waiting]) retry();\n",
    replace: "",
  },
  {
    name: "ignores an aborted wait",
    file: WAITING,
    find: "const forget = onAbort(signal, giveUp);",
    replace: "const forget = onAbort(undefined, giveUp);",
  },
];
