/**
 * Commits a turn (docs/reference/provider-contract.md §7): one batch under the ETag that the lock wrote. Nobody else
 * can have acted on the instance since, and a late holder's commit fails whole (hazards W3, W4).
 */

import { ProviderError } from "@duroxide-ts/core";
import { type AckedOrchestration, messageOf, type OrchestrationAck } from "@duroxide-ts/core/stores";
import { cancelElsewhere } from "../commit/cancelled-activities.ts";
import { type Committed, commitAtOnce, commitStaged, fitsAtOnce } from "../commit/commit.ts";
import { CommitClaims } from "../commit/commit-claims.ts";
import { type CommitPlan, planCommit } from "../commit/plan-commit.ts";
import { type PreparedAck, toPreparedAck } from "../commit/prepared-ack.ts";
import { deliver } from "../delivering/deliver.ts";
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
): Promise<Outcome<CommitPlan>> {
  const unclaimed = await planCommit(call, held, turn);
  const isStaged = !fitsAtOnce(unclaimed);
  using claims = new CommitClaims(call.service, memory, queues, unclaimed, isStaged);
  const plan = claims.in(unclaimed);
  const outcome = await (isStaged ? commitStaged : commitAtOnce)(call, plan, turn);
  if (outcome.kind !== "done") return outcome;
  remember(call.service, memory, held, plan, outcome.value);
  await claims.won(call, plan, outcome.value);
  return done(plan);
}

/** What this process has written it need not look for. */
function remember(
  service: Service,
  memory: Memory,
  held: TurnLease,
  plan: CommitPlan,
  { instance, rows }: Committed,
): void {
  const { instanceId } = plan;
  // Messages that this process wrote before may be gone, where it was not here that the lock was taken.
  const isOwnLock = memory.heldTurns.get(held.secret) !== undefined;
  if (instance === undefined || !isOwnLock) memory.instances.forget(instanceId, service.clock.now());
  memory.heldTurns.delete(held.secret);
  if (instance !== undefined)
    memory.instances.released(
      instanceId,
      instance,
      held.rows.map(({ id }) => id),
      service.clock.now(),
    );
  // Where others went on already, they may have taken them.
  for (const row of plan.messages) noteSent(memory, row, { certain: instance !== undefined });
  for (const { row, body } of plan.activities) {
    const written = rows.get(row.id);
    // Those that were locked in passing are noted by their claims.
    if (written !== undefined && body["lockToken"] === null)
      memory.activities.put(toActivityRow({ ...body, id: row.id, ...written }));
  }
  memory.turns.changed.notify();
  memory.activities.changed.notify();
  if (plan.showsToClients) memory.watchers.notify([instanceId]);
}

/** The commit is done; what follows from it is tried at once, and by the reconciler otherwise. */
async function finish(
  service: Service,
  memory: Memory,
  queues: FetchQueues,
  { intents, instanceId }: CommitPlan,
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
