/** Calls that were made at once: in which orders the contract allows what they came to. */
import { isDeepStrictEqual } from "node:util";
import { expectationOf } from "./contract.ts";
import { type Answer, Complaint, judge } from "./expectation.ts";
import type { Call } from "./situation.ts";
import type { State } from "./state.ts";

/** A call, and what it came to. */
export interface Answered {
  readonly call: Call;
  readonly answer: Answer;
}

/**
 * Every state in which the store may be now, given those in which it may have been before. Several orders may explain
 * the same answers; which of them it was may show only later. A complaint if none does.
 */
export function explain(
  before: readonly State[],
  answered: readonly Answered[],
): readonly State[] | Complaint {
  const outcomes = permutations(answered).flatMap((order) => before.map((state) => follow(state, order)));
  const after = outcomes.filter((outcome): outcome is State => !(outcome instanceof Complaint));
  const [first] = outcomes;
  return after.length === 0 && first instanceof Complaint ? first : distinct(after);
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
