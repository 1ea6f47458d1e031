/**
 * Ends activities together with the turn that they cause (docs/reference/provider-contract.md §10.2). The turn holds no
 * lock, so the stored state of the instance decides whether it may be committed.
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
  if (!isUnchanged(store, ack, nowMs)) return { kind: "overtaken" };
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

/** Whether the instance still has the history tag, and no other process has locked it or sent it a message. */
function isUnchanged(store: Store, { instanceId, historyTag }: FusedAck, nowMs: number): boolean {
  return (
    store.instances.has(instanceId) &&
    store.historyTags.get(instanceId) === historyTag &&
    !isInstanceLocked(store, instanceId, nowMs) &&
    !store.blockedInstances.has(instanceId) &&
    !store.suspended.has(instanceId) &&
    !store.messages.some(
      (row) => row.instanceId === instanceId && row.visibleAtMs <= nowMs && store.sees(row),
    )
  );
}
