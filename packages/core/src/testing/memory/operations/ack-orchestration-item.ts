/**
 * Commits a turn (docs/reference/provider-contract.md §7). All checks come first: text that cannot be written, the
 * lock, event ids that are taken. After the first write no step can fail.
 */
import type { AckedOrchestration, OrchestrationAck } from "../../../contract/provider.ts";
import { findValidInstanceLock } from "../locks.ts";
import type { Store } from "../store.ts";
import { prepareTurn, refuseTurn, storeTurn } from "./store-turn.ts";

const OPERATION = "ackOrchestrationItem";

export interface CommittedTurn {
  readonly instanceId: string;
  readonly acked: AckedOrchestration;
}

export function ackOrchestrationItem(store: Store, ack: OrchestrationAck): CommittedTurn {
  const { lockToken } = ack;
  const nowMs = store.clock.now();
  const turn = prepareTurn(OPERATION, ack, nowMs);
  const { instanceId } = findValidInstanceLock(store, OPERATION, lockToken, nowMs);
  refuseTurn(store, OPERATION, instanceId, turn);
  store.messages = store.messages.filter((row) => row.lockToken !== lockToken);
  const historyTag = store.random.uuid();
  storeTurn(store, instanceId, historyTag, turn);
  return { instanceId, acked: { historyTag } };
}
