/** Finds the orders of concurrent calls for which the contract allows their results. */
import { isDeepStrictEqual } from "node:util";
import { expectationOf } from "./contract.ts";
import { type Answer, Complaint, judge } from "./expectation.ts";
import type { Call } from "./situation.ts";
import type { Message, State } from "./state.ts";

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
    waits.flatMap((at) => before.flatMap((state) => followWithWait(state, order, at, elapsedMs))),
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
): readonly (State | Complaint)[] {
  if (elapsedMs === 0) return follow(before, order);
  return follow(before, order.slice(0, at)).flatMap((between) =>
    between instanceof Complaint
      ? [between]
      : follow({ ...between, nowMs: between.nowMs + elapsedMs }, order.slice(at)),
  );
}

function follow(before: State, order: readonly Answered[]): readonly (State | Complaint)[] {
  const senders = new Map(before.messages.map(({ item }) => [item, BEFORE]));
  let state = before;
  for (const [at, { call, answer }] of order.entries()) {
    const after = judge(expectationOf(state, call.method, call.args), answer, state);
    if (after instanceof Complaint) return [after];
    state = after;
    for (const { item } of state.messages) if (!senders.has(item)) senders.set(item, at);
  }
  return inEachOrder(state, (message) => senders.get(message.item) ?? BEFORE);
}

const BEFORE = -1;

/**
 * A message to another instance may arrive after the commit of its turn, before the call ends (docs/reference/
 * provider-contract.md §7). So each queue has an order of its own for what concurrent calls send; what one call sends
 * keeps its order.
 */
function inEachOrder(state: State, senderOf: (message: Message) => number): readonly State[] {
  const sent = state.messages.filter((message) => senderOf(message) !== BEFORE);
  let states: readonly State[] = [state];
  for (const queue of Map.groupBy(sent, ({ instanceId }) => instanceId).values()) {
    const bySender = [...Map.groupBy(queue, senderOf).values()];
    if (bySender.length === 1) continue;
    states = permutations(bySender).flatMap((order) =>
      states.map((each) => withOrder(each, queue, order.flat())),
    );
  }
  return states;
}

function withOrder(state: State, queue: readonly Message[], ordered: readonly Message[]): State {
  const at = new Map(queue.map((message, index) => [message, ordered[index] ?? message]));
  return { ...state, messages: state.messages.map((message) => at.get(message) ?? message) };
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
