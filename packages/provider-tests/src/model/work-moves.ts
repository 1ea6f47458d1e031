/** Random calls around the worker queue and sessions. */
import type { ActivityOutcome, TagFilter } from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import { callOf } from "./call.ts";
import { abandonOf, aCaller, activityOf, aFetch, anAbandon, anActivity, aRenewal } from "./choices.ts";
import type { Durations } from "./durations.ts";
import type { CallMove, Situation } from "./situation.ts";

const FILTERS: readonly TagFilter[] = [
  { kind: "any" },
  { kind: "default-only" },
  { kind: "tags", tags: ["gpu"] },
  { kind: "tags", tags: ["gpu", "cpu"] },
  { kind: "default-and", tags: ["cpu"] },
  { kind: "none" },
];

/** Each caller has owners of its own, because a store may expect that (§11). */
export const OWNERS = { one: ["w1", "w2"], two: ["w3", "w4"] } as const;

/** Index of one of the caller's owners. */
const anOwner = fc.constantFrom(0, 1);

export function enqueueWorkMove(): Arbitrary<CallMove> {
  return fc.tuple(aCaller, anActivity).map(
    ([caller, choice]) =>
      (situation) =>
        callOf(caller, "enqueueForWorker", activityOf(situation, choice)),
  );
}

export function fetchWorkMove({ leases }: Durations): Arbitrary<CallMove> {
  const lease = fc.constantFrom(...leases);
  const tagFilter = fc.oneof(fc.constant<TagFilter>({ kind: "any" }), fc.constantFrom(...FILTERS));
  const aClaim = fc.option(fc.tuple(anOwner, lease), { nil: undefined, freq: 3 });
  return fc.tuple(aCaller, lease, tagFilter, aClaim).map(([caller, lockTimeoutMs, filter, claim]) => () => {
    const options = { lockTimeoutMs, pollTimeoutMs: 0, tagFilter: filter };
    if (claim === undefined) return callOf(caller, "fetchWorkItem", options);
    const [owner, sessionMs] = claim;
    const session = { ownerId: OWNERS[caller][owner], lockTimeoutMs: sessionMs };
    return callOf(caller, "fetchWorkItem", { ...options, session });
  });
}

const OUTCOMES = ["completed", "failed", "none", "wrong"] as const;

export function ackWorkMove(): Arbitrary<CallMove> {
  const kind = fc.oneof(
    { weight: 2, arbitrary: fc.constant("completed" as const) },
    { weight: 1, arbitrary: fc.constantFrom(...OUTCOMES) },
  );
  return fc.tuple(aCaller, aFetch, kind).map(([caller, choice, outcome]) => (situation) => {
    const fetched = situation.activity(choice);
    if (fetched === undefined) return undefined;
    const { instance, execution_id, id } = fetched.item;
    const kind = situation.hasContext(instance) ? outcome : "none";
    const sent = outcomeOf(situation, kind, { instance, execution_id, id });
    return sent === undefined
      ? callOf(caller, "ackWorkItem", fetched.lockToken)
      : callOf(caller, "ackWorkItem", fetched.lockToken, sent);
  });
}

function outcomeOf(
  situation: Situation,
  kind: (typeof OUTCOMES)[number],
  id: Pick<ActivityOutcome, "instance" | "execution_id" | "id">,
): ActivityOutcome | undefined {
  const serial = situation.serial();
  const message = `failure${serial}`;
  switch (kind) {
    case "none":
      return undefined;
    case "completed":
      return { kind: "ActivityCompleted", ...id, result: `result${serial}` };
    case "failed": {
      const details = { Application: { kind: "ActivityFailed", message, retryable: false } } as const;
      return { kind: "ActivityFailed", ...id, details };
    }
    case "wrong":
      return { kind: "TimerFired", ...id, fire_at_ms: 1 } as unknown as ActivityOutcome;
  }
}

export function renewWorkMove({ leases }: Durations): Arbitrary<CallMove> {
  return fc
    .tuple(aCaller, aFetch, fc.constantFrom(...leases), aRenewal)
    .map(([caller, choice, extendMs, options]) => (situation) => {
      const fetched = situation.activity(choice);
      const more = options !== undefined ? [options] : [];
      return fetched && callOf(caller, "renewWorkItemLock", fetched.lockToken, extendMs, ...more);
    });
}

export function abandonWorkMove(durations: Durations): Arbitrary<CallMove> {
  return fc.tuple(aCaller, aFetch, anAbandon(durations)).map(([caller, choice, chosen]) => (situation) => {
    const fetched = situation.activity(choice);
    return fetched && callOf(caller, "abandonWorkItem", fetched.lockToken, abandonOf(chosen));
  });
}

export function renewSessionsMove({ leases, idleTimeouts }: Durations): Arbitrary<CallMove> {
  const options = fc.record({
    extendMs: fc.constantFrom(...leases),
    idleTimeoutMs: fc.constantFrom(...idleTimeouts),
  });
  return fc.tuple(aCaller, fc.uniqueArray(anOwner), options).map(([caller, owners, chosen]) => () => {
    const ownerIds = owners.map((owner) => OWNERS[caller][owner]);
    return callOf(caller, "renewSessionLocks", { ownerIds, ...chosen });
  });
}

export function cleanUpMove(): Arbitrary<CallMove> {
  return aCaller.map((caller) => () => callOf(caller, "cleanupOrphanedSessions"));
}
