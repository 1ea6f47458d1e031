/** Random calls around the orchestrator queue: messages, fetches, locks. The commit of a turn is in turn-moves.ts. */
import type { VersionRange } from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import { versions } from "../messages.ts";
import { callOf } from "./call.ts";
import {
  abandonOf,
  aCaller,
  aFetch,
  aMessage,
  anAbandon,
  anInstance,
  aRenewal,
  messageOf,
} from "./choices.ts";
import type { Durations } from "./durations.ts";
import type { CallMove, Situation } from "./situation.ts";

export function enqueueMove(durations: Durations): Arbitrary<CallMove> {
  const delay = fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(...durations.delays) },
  );
  return fc.tuple(aCaller, aMessage(durations), delay).map(([caller, choice, delayMs]) => (situation) => {
    const item = messageOf(situation, choice);
    return delayMs === 0 || !situation.hasHistory(choice.instance)
      ? callOf(caller, "enqueueForOrchestrator", item)
      : callOf(caller, "enqueueForOrchestrator", item, delayMs);
  });
}

/** Something for an instance to do: its start, or a message once it has begun. */
export function pokeMove(): Arbitrary<CallMove> {
  return fc.tuple(aCaller, anInstance).map(([caller, instance]) => (situation) => {
    const choice = { instance, kind: "raise", isUnversioned: false, timerMs: 0 } as const;
    return callOf(caller, "enqueueForOrchestrator", messageOf(situation, choice));
  });
}

/** Whatever is there. */
export function plainFetchMove({ leases }: Durations): Arbitrary<CallMove> {
  return fc.tuple(aCaller, fc.constantFrom(...leases)).map(([caller, lockTimeoutMs]) => () => {
    return callOf(caller, "fetchOrchestrationItem", { lockTimeoutMs, pollTimeoutMs: 0 });
  });
}

/** Ends of ranges; turns pin their executions to versions that some of them admit. */
const FILTERS: readonly (readonly (readonly [min: string, max: string])[])[] = [
  [["1.0.0", "1.2.3"]],
  [["2.0.0", "2.9.0"]],
  [
    ["1.0.0", "1.9.0"],
    ["3.0.0", "3.9.0"],
  ],
  [["9.0.0", "9.9.0"]],
  [],
];

function filterOf(situation: Situation, filter: (typeof FILTERS)[number]): readonly VersionRange[] {
  const texts = filter.map(([min, max]) => `versions("${min}", "${max}")`);
  const [only = "[]"] = texts;
  const text = texts.length < 2 ? only : `[${texts.map((each) => `...${each}`).join(", ")}]`;
  return situation.written(
    filter.flatMap(([min, max]) => versions(min, max)),
    text,
  );
}

export function fetchMove({ leases }: Durations): Arbitrary<CallMove> {
  const choice = fc.record({
    caller: aCaller,
    lockTimeoutMs: fc.constantFrom(...leases),
    filter: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.constantFrom(...FILTERS)),
    heldAge: fc.option(fc.nat(1), { nil: undefined, freq: 3 }),
  });
  return choice.map(({ caller, lockTimeoutMs, filter, heldAge }) => (situation) => {
    const options = { lockTimeoutMs, pollTimeoutMs: 0 };
    return callOf(caller, "fetchOrchestrationItem", {
      ...options,
      ...(filter !== undefined && { supportedVersions: filterOf(situation, filter) }),
      ...(heldAge !== undefined && situation.tags.size > 0 && { heldHistory: heldTags(situation, heldAge) }),
    });
  });
}

/** Returns for each instance the tag of the last commit, or of an earlier one. */
function heldTags({ tags, names }: Situation, age: number): (instanceId: string) => string | undefined {
  const held = [...tags].flatMap(([id, all]) => {
    const entry = all[age];
    return entry === undefined ? [] : [[id, entry] as const];
  });
  const byId = new Map(held.map(([id, { tag }]) => [id, tag]));
  const heldHistory = (instanceId: string): string | undefined => byId.get(instanceId);
  const fields = held.map(([id, { text }]) => `${id}: ${text}`).join(", ");
  names.set(heldHistory, `(id) => ({ ${fields} })[id]`);
  return heldHistory;
}

/** Also for a fetch whose lock has ended. */
export function renewMove({ leases }: Durations): Arbitrary<CallMove> {
  return fc
    .tuple(aCaller, aFetch, fc.constantFrom(...leases), aRenewal)
    .map(([caller, choice, extendMs, options]) => (situation) => {
      const fetched = situation.orchestration(choice);
      const more = options !== undefined ? [options] : [];
      return fetched && callOf(caller, "renewOrchestrationItemLock", fetched.lockToken, extendMs, ...more);
    });
}

export function abandonMove(durations: Durations): Arbitrary<CallMove> {
  return fc.tuple(aCaller, aFetch, anAbandon(durations)).map(([caller, choice, chosen]) => (situation) => {
    const fetched = situation.orchestration(choice);
    if (fetched === undefined) return undefined;
    // The start of an instance without a history stays visible: see messageOf.
    const delayMs = situation.hasHistory(fetched.item.instanceId) ? chosen.delayMs : 0;
    const options = abandonOf({ ...chosen, delayMs });
    return callOf(caller, "abandonOrchestrationItem", fetched.lockToken, options);
  });
}
