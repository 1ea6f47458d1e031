/** Blocked work (docs/reference/provider-contract.md §8.1). */
import { isDeepStrictEqual } from "node:util";
import type { Blocked, BlockedPage, BlockedReason, ListBlockedOptions } from "@duroxide-ts/core/stores";
import { allows, Complaint, type Expectation } from "./expectation.ts";
import { literal } from "./literal.ts";
import { type Activity, type Block, type Instance, instanceOf, type State } from "./state.ts";

/** The stored block after an abandon. Without a reason there is none. */
export function blockAfter(
  before: Block | undefined,
  reason: BlockedReason | undefined,
  batch?: string,
): Block | undefined {
  if (reason === undefined) return undefined;
  return { ...reason, attempts: (before?.attempts ?? 0) + 1, batch };
}

/** A provider's description of a block, without the times. */
export type TimelessBlocked = Omit<Blocked, "sinceMs" | "nextTryAtMs">;

export function blockedInstance(instanceId: string, { block }: Instance): TimelessBlocked | undefined {
  if (block === undefined) return undefined;
  const { batch: _batch, ...rest } = block;
  return { instanceId, ...rest };
}

export function blockedActivity({ item, block }: Activity): TimelessBlocked | undefined {
  if (block === undefined) return undefined;
  const { batch: _batch, ...rest } = block;
  const { instance, execution_id, id, name } = item;
  const activity = { executionId: Number(execution_id), activityId: Number(id), name };
  return { instanceId: instance, ...rest, activity };
}

/** Why the block in the result of a fetch is wrong. */
export function complainOfBlock(
  actual: Blocked | undefined,
  expected: TimelessBlocked | undefined,
): Complaint | undefined {
  const isRight = isDeepStrictEqual(actual && withoutTimes(actual), expected);
  return isRight ? undefined : new Complaint(`blocked: ${literal(expected)}`);
}

/** The activities may have any order. */
export function getBlocked(state: State, instanceId: string): Expectation {
  const expected = blockedOf(state, instanceId);
  return allows<readonly Blocked[]>(literal(expected), (blocked) => {
    const hasInstance = expected.some(({ activity }) => activity === undefined);
    const isOrdered = !hasInstance || blocked[0]?.activity === undefined;
    return isOrdered && isSame(blocked, expected) ? state : new Complaint(literal(expected));
  });
}

/** Scripts never have enough blocked work for a second page. */
export function listBlocked(state: State, _options: ListBlockedOptions = {}): Expectation {
  const ids = new Set([...state.instances.keys(), ...state.activities.map(({ item }) => item.instance)]);
  const expected = [...ids].flatMap((id) => blockedOf(state, id));
  return allows<BlockedPage>(`longest first: ${literal(expected)}`, ({ blocked, continuation }) => {
    const isSorted = blocked.every((each, index) => each.sinceMs >= (blocked[index - 1]?.sinceMs ?? 0));
    const isRight = isSorted && continuation === undefined && isSame(blocked, expected);
    return isRight ? state : new Complaint(`longest first: ${literal(expected)}`);
  });
}

function blockedOf(state: State, instanceId: string): readonly TimelessBlocked[] {
  const own = blockedInstance(instanceId, instanceOf(state, instanceId));
  const activities = state.activities.filter(({ item }) => item.instance === instanceId).map(blockedActivity);
  return [own, ...activities].filter((each) => each !== undefined);
}

function withoutTimes({ sinceMs: _since, nextTryAtMs: _next, ...rest }: Blocked): TimelessBlocked {
  return rest;
}

function isSame(actual: readonly Blocked[], expected: readonly TimelessBlocked[]): boolean {
  const timeless = actual.map(withoutTimes);
  const isIn = (each: TimelessBlocked): boolean => timeless.some((other) => isDeepStrictEqual(other, each));
  return actual.length === expected.length && expected.every(isIn);
}
