/** The orchestrator queue, and the locks of instances (docs/reference/provider-contract.md §4, §8). */
import {
  type AbandonOptions,
  type OrchestratorItem,
  type RenewOptions,
  targetInstance,
} from "@duroxide-ts/core/stores";
import { blockAfter } from "./blocked.ts";
import { type Expectation, refuses, returns } from "./expectation.ts";
import { instanceOf, isHeld, type Message, type State, withInstance } from "./state.ts";

export function enqueueForOrchestrator(state: State, item: OrchestratorItem, delayMs = 0): Expectation {
  // A JavaScript caller may pass an activity.
  if ((item.kind as string) === "ActivityExecute") return refuses("invalid-input");
  return returns(
    undefined,
    withMessages(state, [item], () => state.nowMs + delayMs),
  );
}

export function withMessages(
  state: State,
  items: readonly OrchestratorItem[],
  visibleAtMs: (item: OrchestratorItem) => number,
): State {
  const messages = items.map((item) => ({
    instanceId: targetInstance(item),
    item,
    orderAtMs: item.kind === "TimerFired" ? Number(item.fire_at_ms) : state.nowMs,
    visibleAtMs: visibleAtMs(item),
    attempts: 0,
    loneRuns: 0,
    tag: undefined,
    passedOver: false,
  }));
  return { ...state, messages: [...state.messages, ...messages] };
}

export function changeMessages(
  state: State,
  concerns: (message: Message) => boolean,
  change: (message: Message) => Partial<Message>,
): State {
  const messages = state.messages.map((message) =>
    concerns(message) ? { ...message, ...change(message) } : message,
  );
  return { ...state, messages };
}

/** The instance that is locked with the token, its lock expired or not. */
export function lockedBy({ instances }: State, token: string): string | undefined {
  return [...instances].find(([, { lock }]) => lock?.token === token)?.[0];
}

/** Valid locks only. */
export function renewOrchestrationItemLock(
  state: State,
  token: string,
  extendMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions = {},
): Expectation {
  const id = lockedBy(state, token);
  const held = id === undefined ? undefined : instanceOf(state, id).lock;
  if (id === undefined || held === undefined || !isHeld(held, state)) return refuses("lock-lost");
  const untilMs = Math.max(held.untilMs, state.nowMs + extendMs);
  const marked = changeMessages(
    state,
    ({ tag }) => tag === token,
    ({ attempts, loneRuns }) => ({
      attempts: Math.max(0, attempts - (ignoreAttempt ? 1 : 0)),
      loneRuns: alone ? loneRuns + 1 : loneRuns,
    }),
  );
  return returns(undefined, withInstance(marked, id, { lock: { token, untilMs } }));
}

/**
 * The delay and the undo of the attempt apply only to rows of that fetch. An expired lock may be released if no other
 * fetch has taken it. The rows of a blocked batch stay together.
 */
export function abandonOrchestrationItem(
  state: State,
  token: string,
  { delayMs = 0, ignoreAttempt = false, blocked }: AbandonOptions = {},
): Expectation {
  const id = lockedBy(state, token);
  if (id === undefined) return refuses("lock-lost");
  const released = changeMessages(
    state,
    ({ tag }) => tag === token,
    ({ attempts, visibleAtMs }) => ({
      tag: blocked === undefined ? undefined : token,
      visibleAtMs: delayMs === 0 ? visibleAtMs : state.nowMs + delayMs,
      attempts: Math.max(0, attempts - (ignoreAttempt ? 1 : 0)),
    }),
  );
  return returns(
    undefined,
    withInstance(released, id, {
      lock: undefined,
      block: blockAfter(instanceOf(state, id).block, blocked, token),
    }),
  );
}
