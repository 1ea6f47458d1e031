/**
 * Commits a turn (docs/reference/provider-contract.md §7): one batch under the ETag of the lock. Any other write of the
 * instance since then refuses the whole commit, also that of a late holder (hazards W3, W4).
 */
import { ProviderError } from "@duroxide-ts/core";
import type { AckedOrchestration, OrchestrationAck } from "@duroxide-ts/core/stores";
import { remember, showsToClients } from "../commit/after-commit.ts";
import { cancelElsewhere } from "../commit/cancelled-activities.ts";
import { type Commit, goesOn, withDelivered } from "../commit/commit.ts";
import { CommitClaims } from "../commit/commit-claims.ts";
import { planCommit } from "../commit/plan-commit.ts";
import { type PreparedTurn, turnOfAck } from "../commit/prepared-turn.ts";
import { writeCommit } from "../commit/write-commit.ts";
import { deliver } from "../delivering/deliver.ts";
import type { DeliveredIntents } from "../delivering/delivered-intents.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import { dropUnstored, giveBackTurn } from "../leases/give-back-turn.ts";
import { done, findValidLease, type Holder, LOST, type Outcome, writeUnder } from "../leases/lease.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { COMMIT_MARGIN_MS, COMMIT_START_MS, DELIVERY_MS, FIND_LOCK_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";
import { isOneBatch } from "../service/split.ts";

const OPERATION = "ackOrchestrationItem";

export async function ackOrchestrationItem(
  service: Service,
  memory: Memory,
  queues: FetchQueues,
  delivered: DeliveredIntents,
  ack: OrchestrationAck,
): Promise<AckedOrchestration> {
  const turn = turnOfAck(OPERATION, ack);
  const finding = { memory, call: service.call(OPERATION, FIND_LOCK_MS) };
  const lease = await validLease(finding, turn);
  const leftMs = lease.lockedUntilMs - service.clock.now() - COMMIT_MARGIN_MS;
  const timeoutMs = lease.start === undefined ? leftMs : Math.min(leftMs, COMMIT_START_MS);
  const holder: Holder = { memory, call: service.call(OPERATION, Math.max(0, timeoutMs)) };
  const outcome = await committed(holder, { queues, delivered }, lease, turn);
  if (outcome.kind === "refused") {
    if (lease.start !== undefined) throw ProviderError.lockLost(OPERATION);
    // The next turn is without the deleted message, and need not wait for the lock to end.
    const asBefore = { visibleAtMs: undefined, ignoreAttempt: true };
    await giveBackTurn(memory, holder.call, lease, asBefore);
    throw ProviderError.lockLost(OPERATION);
  }
  const finishing = service.call(OPERATION, DELIVERY_MS);
  const { instanceId, intents } = outcome.value;
  const kept = goesOn(outcome.value) ? delivered : undefined;
  if (intents.length > 0) await deliver(memory, queues, finishing, intents, kept);
  await cancelElsewhere(finishing, instanceId, turn.cancelled);
  return { historyTag: turn.token.secret };
}

/** A turn whose start is not stored is taken for this commit, or its start is stored first. */
async function validLease(finding: Holder, { token }: PreparedTurn): Promise<TurnLease> {
  const failure = finding.memory.heldTurns.get(token.secret)?.failure;
  if (failure !== undefined) throw failure;
  const lease = await findValidLease(TURN_LEASE, finding, token);
  if (lease.start === undefined || lease.start.take()) return lease;
  await lease.start.over;
  return findValidLease(TURN_LEASE, finding, token);
}

/** Changes that a commit takes along. */
interface Beside {
  readonly queues: FetchQueues;
  readonly delivered: DeliveredIntents;
}

type Written = Exclude<Outcome<Commit>, { readonly kind: "lost" }>;

async function committed(
  holder: Holder,
  beside: Beside,
  lease: TurnLease,
  turn: PreparedTurn,
): Promise<Written> {
  const { start } = lease;
  try {
    const outcome = await writeUnder(TURN_LEASE, holder, lease, (held) => commit(holder, beside, held, turn));
    if (outcome.kind === "done") start?.commitEnded("committed");
    return outcome;
  } finally {
    // The call that waits for the start stores it, and the turn runs again.
    if (start?.commitEnded("declined") === true) dropUnstored(holder.call.service, holder.memory, lease);
  }
}

/** Resolves to the committed turn. */
async function commit(
  { memory, call }: Holder,
  beside: Beside,
  held: TurnLease,
  turn: PreparedTurn,
): Promise<Outcome<Commit>> {
  const planned = await planCommit(call, held, turn);
  if (held.start !== undefined && !isOneBatch(planned.size)) {
    held.start.commitEnded("late");
    await held.start.over;
    const stored = memory.heldTurns.get(held.secret);
    return stored === undefined ? LOST : commit({ memory, call }, beside, stored, turn);
  }
  // If another process locked the instance, messages that this process wrote before may be deleted.
  const isOwnLock = memory.heldTurns.get(held.secret) !== undefined;
  using sending = memory.instances.sending(held.instanceId);
  using taken = beside.delivered.take(held.instanceId);
  const unclaimed = withDelivered(planned, taken.ids);
  using claims = new CommitClaims(call.service, memory, beside.queues, unclaimed, isOwnLock);
  const claimed = claims.in(unclaimed);
  const outcome = await writeCommit({ memory, call }, claimed, held);
  if (outcome.kind !== "done") return outcome;
  taken.deleted(claimed.delivered);
  if (!isOwnLock) memory.instances.forget(held.instanceId, call.service.clock.now());
  memory.heldTurns.delete(held.secret);
  if (held.instance.document.orchestrationName === "")
    memory.firstTurns.add(String(claimed.after["orchestrationName"]));
  remember(call.service, memory, sending, claimed, outcome.value);
  if (showsToClients(turn, held.instance)) memory.watchers.notify([held.instanceId]);
  await claims.won(call, claimed, outcome.value);
  return done(claimed);
}
