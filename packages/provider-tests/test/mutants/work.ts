/** Faults in the worker queue, in sessions and in waiting. */
import { type Mutant, mutantsIn } from "./mutant.ts";

export const workMutants: readonly Mutant[] = [
  ...mutantsIn("operations/fetch-work-item.ts", {
    "fetches activities that are locked": {
      find: "      !isActivityLocked(candidate, nowMs) &&\n",
      replace: "",
    },
    "fetches activities before their delay is over": {
      find: "      (candidate.visibleAtMs <= nowMs || isReleasedTo(candidate, options)) &&\n",
      replace: "",
    },
    "ignores the tag filter": { find: "      acceptsTag(tagFilter, candidate.tag) &&\n", replace: "" },
    "gives tagged activities to fetches that asked for untagged ones": {
      find: "acceptsTag(tagFilter, candidate.tag)",
      replace: '(tagFilter.kind === "default-only" || acceptsTag(tagFilter, candidate.tag))',
    },
    "gives steps to fetches without the code of their orchestrations": {
      find: " && !isActivityForOthers(store, row, options)",
      replace: "",
    },
    "gives untagged activities to fetches that asked for a tag": {
      find: "acceptsTag(tagFilter, candidate.tag)",
      replace: "(candidate.tag === undefined || acceptsTag(tagFilter, candidate.tag))",
    },
    "compares tags without regard to case": {
      find: "acceptsTag(tagFilter, candidate.tag)",
      replace:
        "[candidate.tag, candidate.tag?.toUpperCase(), candidate.tag?.toLowerCase()].some((tag) => acceptsTag(tagFilter, tag))",
    },
    "ignores the owner of a session": {
      find: "session.ownerId === claim.ownerId",
      replace: "session.ownerId !== undefined",
    },
    "never gives a session to another than its first owner": {
      find: "session === undefined || session.lockedUntilMs <= nowMs || ",
      replace: "session === undefined || ",
    },
    "gives session activities to workers without sessions": {
      find: "if (claim === undefined) return false;",
      replace: "if (claim === undefined) return true;",
    },
    "does not claim a session": {
      find: "  if (session !== undefined) claimSession(store, session, row, nowMs);\n",
      replace: "  void session;\n  void claimSession;\n",
    },
    "scopes sessions to their instance": {
      find: "acceptsSession(store, session, candidate.sessionId, nowMs),",
      replace:
        "(store.activities.find((row) => row.sessionId === candidate.sessionId && row.lockToken !== undefined)?.instanceId !== candidate.instanceId ||\n        acceptsSession(store, session, candidate.sessionId, nowMs)),",
    },
    "looks at the head of the worker queue only": {
      find: "const eligible = store.activities.filter(",
      replace: "const eligible = store.activities.slice(0, 8).filter(",
    },
    "serves the youngest activity first": { find: "eligible.find(", replace: "eligible.findLast(" },
    "counts no attempts of activities": { find: "  row.attemptCount++;\n", replace: "" },
  }),
  ...mutantsIn("limits/permits.ts", {
    "keeps a permit after its lock has ended": {
      find: "isActivityLocked(row, nowMs)",
      replace: "row.lockToken !== undefined",
    },
    "counts the permits of a key alone, without those under it": {
      find: "isUnder(row.limit, key)",
      replace: "row.limit === key",
    },
    "counts no begin for a rate": {
      find: "store.spentRates.set(level, afterBegin(limit.rule, limit.perMs, spent, nowMs));",
      replace: "",
    },
  }),
  ...mutantsIn("limits/next-activity.ts", {
    "serves the key that was served last again": {
      find: "    .sort((a, b) => rank(a, nowMs) - rank(b, nowMs) || turnOf(store, a) - turnOf(store, b));",
      replace: "    .sort((a, b) => rank(a, nowMs) - rank(b, nowMs));",
    },
    "lets work of a low priority wait without an end": {
      find: "isOverdue(oldest.queuedAtMs, nowMs)",
      replace: "isOverdue(oldest.queuedAtMs, 0)",
    },
  }),
  ...mutantsIn("left-work.ts", {
    "gives steps to fetches with an activity of their name": {
      find: "if (hasActivity(options, handlerOf(toActivity(row)))) return false;",
      replace: "if (hasActivity(options, toActivity(row).name)) return false;",
    },
  }),
  ...mutantsIn("locks.ts", {
    "completes activities whose lock has expired": {
      find: "if (!isActivityLocked(row, nowMs)) throw ProviderError.lockLost(operation);",
      replace: "void nowMs;",
    },
  }),
  ...mutantsIn("operations/ack-work-item.ts", {
    "keeps the activity when it is completed": {
      find: "store.activities = store.activities.filter((row) => row !== acked);",
      replace: "",
    },
    "loses the completion": {
      find: "if (message !== undefined) store.messages.push(message);",
      replace: "void message;",
    },
    "accepts any message as an outcome": {
      find: "if (outcome !== undefined) checkOutcome(outcome);",
      replace: "void checkOutcome;",
    },
    "does not count a completion as use of the session": {
      find: "touchSession(store, acked.sessionId, nowMs);",
      replace: "void touchSession;",
    },
  }),
  ...mutantsIn("operations/renew-work-item-lock.ts", {
    "does not count a renewal as use of the session": {
      find: "touchSession(store, row.sessionId, nowMs);",
      replace: "void touchSession;",
    },
    "does not extend an activity's lock": {
      find: "row.lockedUntilMs = Math.max(row.lockedUntilMs, nowMs + extensionMs);",
      replace: "void extensionMs;",
    },
  }),
  ...mutantsIn("operations/abandon-work-item.ts", {
    "gives an activity back without its delay": {
      find: "row.visibleAtMs = nowMs + delayMs",
      replace: "row.visibleAtMs = nowMs + 0 * delayMs",
    },
    "keeps the lock of an activity that was given back": { find: "row.lockToken = undefined;", replace: "" },
    "puts an activity that was given back at the end of the queue": {
      find: "row.lockToken = undefined;",
      replace:
        "row.lockToken = undefined;\n  store.activities = [...store.activities.filter((each) => each !== row), row];",
    },
    "counts an attempt at an activity that was to be ignored": {
      find: "if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);",
      replace: "void ignoreAttempt;",
    },
  }),
  ...mutantsIn("operations/sessions.ts", {
    "renews the sessions of every owner": {
      find: "ownerIds.includes(ownerId) && ",
      replace: "(ownerIds.length < 0 || ownerId.length > 0) && ",
    },
    "revives expired sessions": {
      find: "lockedUntilMs > nowMs && lastActivityAtMs",
      replace: "lockedUntilMs > 0 && lastActivityAtMs",
    },
    "renews idle sessions": {
      find: " && lastActivityAtMs > nowMs - idleTimeoutMs",
      replace: " && lastActivityAtMs > nowMs - idleTimeoutMs - 1e9",
    },
    "removes sessions that live": { find: "lockedUntilMs >= nowMs || needed", replace: "needed" },
    "removes sessions that have work": {
      find: " || needed.has(sessionId)",
      replace: ' || needed.has(sessionId.concat("?"))',
    },
  }),
  ...mutantsIn("long-poll.ts", {
    "returns from a fetch before its time is over": {
      find: "this.#clock.schedule(pollTimeoutMs, giveUp)",
      replace: "this.#clock.schedule(Math.min(pollTimeoutMs, 100), giveUp)",
    },
    "does not wake the waiting fetches": {
      find: "      for (const { retry } of [...this.#waiting]) retry();\n",
      replace: "",
    },
    "leaves a listener at the signal of a fetch that has ended": {
      find: "        cancelDeadline();\n        forget();\n",
      replace: "        cancelDeadline();\n",
    },
    "ignores an aborted wait": {
      find: "const forget = onAbort(signal, giveUp);",
      replace: "const forget = onAbort(undefined, giveUp);",
    },
  }),
];
