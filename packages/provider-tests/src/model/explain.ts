/** Finds the orders of concurrent calls for which the contract allows their results. */
import { isDeepStrictEqual } from "node:util";
import { expectationOf } from "./contract.ts";
import { type Answer, Complaint, judge } from "./expectation.ts";
import type { Call } from "./situation.ts";
import type { State } from "./state.ts";

/** A call and its outcome. */
export interface Answered {
  readonly call: Call;
  readonly answer: Answer;
}

/**
 * Every possible state of the store after the calls, given the possible states before. Several orders may explain the
 * same results, and only later results may decide between them. A complaint if no order does.
 *
 * A call may have waited for another one, such as a writer for the lock of a file. Then time has passed between two of
 * the calls, and it is not known between which.
 */
export function explain(
  before: readonly State[],
  answered: readonly Answered[],
  elapsedMs: number,
): readonly State[] | Complaint {
  const waits = elapsedMs === 0 ? [0] : answered.map((_, index) => index);
  const outcomes = permutations(answered).flatMap((order) =>
    waits.flatMap((at) => before.map((state) => followWithWait(state, order, at, elapsedMs))),
  );
  const after = outcomes.filter((outcome): outcome is State => !(outcome instanceof Complaint));
  const [first] = outcomes;
  return after.length === 0 && first instanceof Complaint ? first : distinct(after);
}

function followWithWait(
  before: State,
  order: readonly Answered[],
  at: number,
  elapsedMs: number,
): State | Complaint {
  if (elapsedMs === 0) return follow(before, order);
  const between = follow(before, order.slice(0, at));
  if (between instanceof Complaint) return between;
  return follow({ ...between, nowMs: between.nowMs + elapsedMs }, order.slice(at));
}

function follow(before: State, order: readonly Answered[]): State | Complaint {
  let state = before;
  for (const { call, answer } of order) {
    const after = judge(expectationOf(state, call.method, call.args), answer, state);
    if (after instanceof Complaint) return after;
    state = after;
  }
  return state;
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

function distinct(states: readonly State[]): readonly State[] {
  const found: State[] = [];
  for (const state of states) {
    if (!found.some((other) => other === state || isDeepStrictEqual(other, state))) found.push(state);
  }
  return found;
}
