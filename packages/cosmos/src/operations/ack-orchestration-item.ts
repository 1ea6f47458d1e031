/**
 * Commits a turn (docs/reference/provider-contract.md §7): one batch under the ETag of the lock. Any other write of the
 * instance since then refuses the whole commit, also that of a late holder (hazards W3, W4).
 */
import { ProviderError } from "@duroxide-ts/core";
import type { AckedOrchestration, OrchestrationAck } from "@duroxide-ts/core/stores";
import { remember, tellClients } from "../commit/after-commit.ts";
import { type Commit, goesOn, withDelivered } from "../commit/commit.ts";
import { CommitClaims } from "../commit/commit-claims.ts";
import { planCommit } from "../commit/plan-commit.ts";
import { type PreparedTurn, turnOfAck } from "../commit/prepared-turn.ts";
import { writeCommit } from "../commit/write-commit.ts";
import { sendOn } from "../delivering/deliver.ts";
import { actionsOf } from "../leases/actions-of.ts";
import { done, findValidLease, LOST, type Outcome } from "../leases/lease.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import { storedForCommit, takenForCommit } from "../leases/unborn-turn.ts";
import { endPermitAfter } from "../limits/end-permit.ts";
import type { TurnLease } from "../memory/held.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { COMMIT_MARGIN_MS, COMMIT_START_MS, DELIVERY_MS, FIND_LOCK_MS } from "../memory/waits.ts";
import { isOneBatch } from "../service/split.ts";

const OPERATION = "ackOrchestrationItem";

export async function ackOrchestrationItem(parts: Parts, ack: OrchestrationAck): Promise<AckedOrchestration> {
  const turn = turnOfAck(OPERATION, ack);
  const finding = new Work(parts, OPERATION, FIND_LOCK_MS);
  const lease = await validLease(finding, turn);
  const leftMs = lease.lockedUntilMs - parts.clock.now() - COMMIT_MARGIN_MS;
  const timeoutMs = lease.kind === "unborn" ? Math.min(leftMs, COMMIT_START_MS) : leftMs;
  const work = new Work(parts, OPERATION, Math.max(0, timeoutMs));
  const outcome = await actionsOf(lease).commit(work, (held) => commit(work, held, turn));
  if (outcome.kind === "refused") {
    // The next turn is without the deleted message, and need not wait for the lock to end.
    const asBefore = { visibleAtMs: undefined, ignoreAttempt: true };
    await actionsOf(lease).giveBack(work, asBefore);
    throw ProviderError.lockLost(OPERATION);
  }
  const { value: committed } = outcome;
  await sendOn(work.within(DELIVERY_MS), committed, turn.cancelled, goesOn(committed));
  await endPermitAfter(work, committed.locked.notes, committed.after);
  return { historyTag: turn.token.secret };
}

async function validLease(work: Work, { token }: PreparedTurn): Promise<TurnLease> {
  const failure = work.memory.heldTurns.get(token.secret)?.failure;
  if (failure !== undefined) throw failure;
  const lease = await findValidLease(TURN_LEASE, work, token);
  return lease.kind === "unborn" ? takenForCommit(work, lease) : lease;
}

/** Resolves to the committed turn. */
async function commit(work: Work, held: TurnLease, turn: PreparedTurn): Promise<Outcome<Commit>> {
  const { memory } = work;
  // The message of a start that is not stored has no row.
  const base = held.kind === "unborn" ? { ...held, rows: [], receipt: held.start.receipt } : held;
  const planned = await planCommit(work, base, turn);
  if (held.kind === "unborn" && !isOneBatch(planned.size)) {
    const stored = await storedForCommit(work, held);
    return stored === undefined ? LOST : commit(work, stored, turn);
  }
  // If another process locked the instance, messages that this process wrote before may be deleted.
  const isOwnLock = memory.heldTurns.get(held.secret) !== undefined;
  using sending = memory.instances.sending(held.instanceId);
  using taken = memory.delivered.take(held.instanceId);
  const unclaimed = withDelivered(planned, taken.ids);
  using claims = new CommitClaims(work, unclaimed, isOwnLock);
  const claimed = claims.in(unclaimed);
  const outcome = await writeCommit(work, claimed, held);
  if (outcome.kind !== "done") return outcome;
  taken.deleted(claimed.delivered);
  if (!isOwnLock) memory.instances.forget(held.instanceId, work.clock.now());
  memory.heldTurns.delete(held.secret);
  if (held.instance.document.orchestrationName === "")
    memory.firstTurns.add(String(claimed.after["orchestrationName"]));
  remember(work, sending, claimed, outcome.value);
  tellClients(work, turn, outcome.value);
  await claims.won(work, claimed, outcome.value);
  return done(claimed);
}
