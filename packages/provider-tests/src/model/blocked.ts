/** Work that was given back because this process cannot go on with it (docs/reference/provider-contract.md §8.1). */
import { isDeepStrictEqual } from "node:util";
import type { Blocked, BlockedPage, BlockedReason, ListBlockedOptions } from "@duroxide-ts/core";
import { allows, Complaint, type Expectation } from "./expectation.ts";
import { literal } from "./literal.ts";
import { type Block, instanceOf, type State } from "./state.ts";

/** What is stored after an abandon. Without a reason the work has gone on, or may. */
export function blockAfter(
  { nowMs }: State,
  before: Block | undefined,
  reason: BlockedReason | undefined,
  delayMs: number,
): Block | undefined {
  if (reason === undefined) return undefined;
  return {
    ...reason,
    sinceMs: before?.sinceMs ?? nowMs,
    attempts: (before?.attempts ?? 0) + 1,
    nextTryAtMs: nowMs + delayMs,
  };
}

/** The order of the activities is left open. */
export function getBlocked(state: State, instanceId: string): Expectation {
  const expected = blockedOf(state, instanceId);
  return allows<readonly Blocked[]>(literal(expected), (blocked) => {
    const startsWithInstance = instanceOf(state, instanceId).block === undefined || isOfInstance(blocked[0]);
    return startsWithInstance && isSame(blocked, expected) ? state : new Complaint(literal(expected));
  });
}

/** Scripts never have so much of it that a second page comes. */
export function listBlocked(state: State, _options: ListBlockedOptions = {}): Expectation {
  const expected = [...state.instances.keys()].flatMap((id) => blockedOf(state, id));
  return allows<BlockedPage>(`longest first: ${literal(expected)}`, ({ blocked, continuation }) => {
    const isSorted = blocked.every((each, index) => each.sinceMs >= (blocked[index - 1]?.sinceMs ?? 0));
    const isRight = isSorted && continuation === undefined && isSame(blocked, expected);
    return isRight ? state : new Complaint(`longest first: ${literal(expected)}`);
  });
}

export function blockedInstance(instanceId: string, block: Block | undefined): Blocked | undefined {
  return block === undefined ? undefined : { instanceId, ...block };
}

function blockedOf(state: State, instanceId: string): readonly Blocked[] {
  const own = blockedInstance(instanceId, instanceOf(state, instanceId).block);
  const activities = state.activities.flatMap(({ item, block }): Blocked[] => {
    if (item.instance !== instanceId || block === undefined) return [];
    const { execution_id, id, name } = item;
    const activity = { executionId: Number(execution_id), activityId: Number(id), name };
    return [{ instanceId, ...block, activity }];
  });
  return own === undefined ? activities : [own, ...activities];
}

function isOfInstance(blocked: Blocked | undefined): boolean {
  return blocked !== undefined && blocked.activity === undefined;
}

function isSame(actual: readonly Blocked[], expected: readonly Blocked[]): boolean {
  const isIn = (each: Blocked): boolean => actual.some((other) => isDeepStrictEqual(other, each));
  return actual.length === expected.length && expected.every(isIn);
}
