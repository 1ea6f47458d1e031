/**
 * Ends activities together with the turn that they cause (docs/reference/provider-contract.md §10.2). Whether the turn
 * may be stored is decided by what is there, because nobody holds a lock for it.
 */
import type { FusedAck, FusedOutcome } from "../../../contract/provider.ts";
import { ProviderError } from "../../../contract/provider-error.ts";
import { checkFusedAck } from "../../../stores/arguments.ts";
import { findValidActivityLock, isInstanceLocked } from "../locks.ts";
import type { ActivityRow, Store } from "../store.ts";
import { touchSession } from "./sessions.ts";
import { prepareTurn, refuseTurn, storeTurn } from "./store-turn.ts";

const OPERATION = "ackFusedTurn";

export function ackFusedTurn(store: Store, ack: FusedAck): FusedOutcome {
  const { instanceId } = ack;
  const nowMs = store.clock.now();
  checkFusedAck(OPERATION, ack);
  const turn = prepareTurn(OPERATION, ack, nowMs);
  const ended = activitiesOf(store, ack, nowMs);
  if (!standsAt(store, ack, nowMs)) return { kind: "overtaken" };
  refuseTurn(store, OPERATION, instanceId, turn);
  store.activities = store.activities.filter((row) => !ended.has(row));
  for (const { sessionId } of ended) touchSession(store, sessionId, nowMs);
  const historyTag = store.random.uuid();
  storeTurn(store, instanceId, historyTag, turn);
  return { kind: "committed", historyTag };
}

function activitiesOf(
  store: Store,
  { instanceId, activityTokens }: FusedAck,
  nowMs: number,
): ReadonlySet<ActivityRow> {
  const rows = activityTokens.map((token) => findValidActivityLock(store, OPERATION, token, nowMs));
  if (rows.some((row) => row.instanceId !== instanceId)) throw ProviderError.lockLost(OPERATION);
  return new Set(rows);
}

/** Nobody else has done anything to the instance since, or is about to, or was first with a message. */
function standsAt(store: Store, { instanceId, historyTag }: FusedAck, nowMs: number): boolean {
  return (
    store.instances.has(instanceId) &&
    store.historyTags.get(instanceId) === historyTag &&
    !isInstanceLocked(store, instanceId, nowMs) &&
    !store.blockedInstances.has(instanceId) &&
    !store.suspended.has(instanceId) &&
    !store.messages.some((row) => row.instanceId === instanceId && row.visibleAtMs <= nowMs)
  );
}
