/**
 * Commits a turn (docs/reference/provider-contract.md §7): one batch under the ETag that the lock wrote. Nobody else
 * can have acted on the instance since, and a late holder's commit fails whole (hazards W3, W4).
 */

import { ProviderError } from "@duroxide-ts/core";
import {
  type AckedOrchestration,
  messageOf,
  type OrchestrationAck,
  saturatedNumber,
} from "@duroxide-ts/core/stores";
import { cancelElsewhere } from "../commit/cancelled-activities.ts";
import type { Commit } from "../commit/commit.ts";
import { CommitClaims } from "../commit/commit-claims.ts";
import { planCommit } from "../commit/plan-commit.ts";
import { type PreparedAck, toPreparedAck } from "../commit/prepared-ack.ts";
import { type Committed, writeCommit } from "../commit/write-commit.ts";
import { deliver } from "../delivering/deliver.ts";
import type { Instance } from "../documents/instance.ts";
import { toActivityRow } from "../documents/rows.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import { giveBackTurn } from "../leases/give-back-turn.ts";
import { done, findValidLease, type Holder, type Outcome, writeUnder } from "../leases/lease.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { noteSent } from "../memory/note-sent.ts";
import { COMMIT_MARGIN_MS, DELIVERY_MS, FIND_LOCK_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "ackOrchestrationItem";

export async function ackOrchestrationItem(
  service: Service,
  memory: Memory,
  queues: FetchQueues,
  ack: OrchestrationAck,
): Promise<AckedOrchestration> {
  const turn = toPreparedAck(OPERATION, ack);
  const finding = { memory, call: service.call(OPERATION, FIND_LOCK_MS) };
  const lease = await findValidLease(TURN_LEASE, finding, turn.token);
  const leftMs = lease.lockedUntilMs - service.clock.now() - COMMIT_MARGIN_MS;
  const holder: Holder = { memory, call: service.call(OPERATION, Math.max(0, leftMs)) };
  const outcome = await writeUnder(TURN_LEASE, holder, lease, (held) => commit(holder, queues, held, turn));
  if (outcome.kind === "refused") {
    // The next attempt will be without the message that is gone, and need not wait for the lock to end.
    const asBefore = { visibleAtMs: undefined, ignoreAttempt: true };
    await giveBackTurn(memory, holder.call, lease, asBefore);
    throw ProviderError.lockLost(OPERATION);
  }
  await finish(service, memory, queues, outcome.value, turn);
  return { historyTag: turn.token.secret };
}

/** Resolves to what was committed. */
async function commit(
  { memory, call }: Holder,
  queues: FetchQueues,
  held: TurnLease,
  turn: PreparedAck,
): Promise<Outcome<Commit>> {
  const unclaimed = await planCommit(call, held, turn);
  using claims = new CommitClaims(call.service, memory, queues, unclaimed);
  const claimed = claims.in(unclaimed);
  const outcome = await writeCommit(call, claimed);
  if (outcome.kind !== "done") return outcome;
  remember(call.service, memory, claimed, outcome.value);
  if (showsToClients(turn, held.instance)) memory.watchers.notify([held.instanceId]);
  await claims.won(call, claimed, outcome.value);
  return done(claimed);
}

/** What this process has written it need not look for. */
function remember(service: Service, memory: Memory, written: Commit, { instance, rows }: Committed): void {
  const { instanceId, secret, taken, messages, activities } = written;
  // Messages that this process wrote before may be gone, where it was not here that the lock was taken.
  const isOwnLock = memory.heldTurns.get(secret) !== undefined;
  if (instance === undefined || !isOwnLock) memory.instances.forget(instanceId, service.clock.now());
  memory.heldTurns.delete(secret);
  if (instance !== undefined) {
    memory.instances.released(instanceId, instance, [...taken], service.clock.now());
  }
  // Where others went on already, they may have taken them.
  for (const { row } of messages) noteSent(memory, row, { certain: instance !== undefined });
  for (const { row, body } of activities) {
    const system = rows.get(row.id);
    // Those that were locked in passing are noted by their claims.
    if (system !== undefined && body["lockToken"] === null)
      memory.activities.put(toActivityRow({ ...body, id: row.id, ...system }));
  }
  memory.turns.changed.notify();
  memory.activities.changed.notify();
}

/** Whether a client that waits could see what has changed. */
function showsToClients(
  { metadata, customStatus, changesKv, executionId }: PreparedAck,
  { document }: Instance,
): boolean {
  const isNew =
    document.orchestrationName === "" || executionId > saturatedNumber(document.currentExecutionId);
  return isNew || metadata.status !== undefined || customStatus !== undefined || changesKv;
}

/** The commit is done; what follows from it is tried at once, and by the reconciler otherwise. */
async function finish(
  service: Service,
  memory: Memory,
  queues: FetchQueues,
  { intents, instanceId }: Commit,
  { cancelled }: PreparedAck,
): Promise<void> {
  const call = service.call(OPERATION, DELIVERY_MS);
  if (intents.length > 0) await deliver(memory, queues, call, intents);
  try {
    await cancelElsewhere(call, instanceId, cancelled);
  } catch (error) {
    service.warn(`an activity of another instance is not cancelled: ${messageOf(error)}`, {
      instanceId,
    });
  }
}
