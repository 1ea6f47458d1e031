/** Activities that end together with the turn that they cause (docs/reference/provider-contract.md §10.2). */
import type { FusedAck, FusedOutcome, ProviderErrorCode } from "@duroxide-ts/core/stores";
import { allowsOr, Complaint, type Expectation } from "./expectation.ts";
import { touchSession } from "./sessions.ts";
import { type Activity, instanceOf, isHeld, type State } from "./state.ts";
import { commitTurn, refusalsOfContent } from "./turn.ts";

/** A store may find that it was overtaken at any time. It must, where the instance does not stand as the caller says. */
export function ackFusedTurn(state: State, ack: FusedAck): Expectation {
  const { instanceId, activityTokens } = ack;
  const ended = state.activities.filter(
    ({ lock }) => lock !== undefined && activityTokens.includes(lock.token),
  );
  const reasons: readonly ProviderErrorCode[] = [
    ...(areHeld(state, ended, ack) ? [] : (["lock-lost"] as const)),
    ...refusalsOfContent(instanceOf(state, instanceId), ack),
  ];
  const stands = standsAt(state, ack);
  if (stands && reasons.length > 0)
    return allowsOr<FusedOutcome>(reasons, "overtaken", (outcome) => overtaken(state, outcome));
  return allowsOr<FusedOutcome>(reasons, stands ? "a commit" : "overtaken", (outcome) => {
    if (outcome.kind === "overtaken" || !stands) return overtaken(state, outcome);
    return commitTurn(without(state, ended), instanceId, ack, outcome.historyTag);
  });
}

function overtaken(state: State, { kind }: FusedOutcome): State | Complaint {
  return kind === "overtaken" ? state : new Complaint("overtaken");
}

/** Locked by valid tokens, and all of the instance of the turn. */
function areHeld(
  state: State,
  ended: readonly Activity[],
  { instanceId, activityTokens }: FusedAck,
): boolean {
  const areOfInstance = ended.every(({ item, lock }) => item.instance === instanceId && isHeld(lock, state));
  return ended.length === activityTokens.length && areOfInstance;
}

/** Only a store whose operations are one step must see every message. */
function standsAt(state: State, { instanceId, historyTag }: FusedAck): boolean {
  const instance = instanceOf(state, instanceId);
  const hasMessages = state.messages.some(
    (message) => message.instanceId === instanceId && message.visibleAtMs <= state.nowMs,
  );
  return (
    instance.identity !== undefined &&
    instance.historyTag === historyTag &&
    !isHeld(instance.lock, state) &&
    instance.block === undefined &&
    (!hasMessages || state.activityOrder === "by-millisecond")
  );
}

function without(state: State, ended: readonly Activity[]): State {
  const rest = { ...state, activities: state.activities.filter((each) => !ended.includes(each)) };
  return ended.reduce<State>((before, { item }) => touchSession(before, item.session_id), rest);
}
