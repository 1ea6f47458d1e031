/**
 * Commits a turn (docs/reference/provider-contract.md §7): one batch under the ETag that the lock wrote. Nobody else
 * can have acted on the instance since, and a late holder's commit fails whole (hazards W3, W4).
 */

import { ProviderError } from "@duroxide-ts/core";
import type { AckedOrchestration, OrchestrationAck } from "@duroxide-ts/core/stores";
import { remember, showsToClients } from "../commit/after-commit.ts";
import { cancelElsewhere } from "../commit/cancelled-activities.ts";
import type { Commit } from "../commit/commit.ts";
import { CommitClaims } from "../commit/commit-claims.ts";
import { planCommit } from "../commit/plan-commit.ts";
import { type PreparedAck, toPreparedAck } from "../commit/prepared-ack.ts";
import { writeCommit } from "../commit/write-commit.ts";
import { deliver } from "../delivering/deliver.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import { giveBackTurn } from "../leases/give-back-turn.ts";
import { done, findValidLease, type Holder, type Outcome, writeUnder } from "../leases/lease.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
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
  const finishing = service.call(OPERATION, DELIVERY_MS);
  if (outcome.value.intents.length > 0) await deliver(memory, queues, finishing, outcome.value.intents);
  await cancelElsewhere(finishing, outcome.value.instanceId, turn.cancelled);
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
  // Messages that this process wrote before may be gone, where it was not here that the lock was taken.
  const isOwnLock = memory.heldTurns.get(held.secret) !== undefined;
  using claims = new CommitClaims(call.service, memory, queues, unclaimed, isOwnLock);
  const claimed = claims.in(unclaimed);
  const outcome = await writeCommit(call, claimed);
  if (outcome.kind !== "done") return outcome;
  if (!isOwnLock) memory.instances.forget(held.instanceId, call.service.clock.now());
  memory.heldTurns.delete(held.secret);
  remember(call.service, memory, claimed, outcome.value);
  if (showsToClients(turn, held.instance)) memory.watchers.notify([held.instanceId]);
  await claims.won(call, claimed, outcome.value);
  return done(claimed);
}
