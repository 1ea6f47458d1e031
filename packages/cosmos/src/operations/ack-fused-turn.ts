/**
 * Ends activities together with the turn that they cause (docs/reference/provider-contract.md §10.2): one batch under the
 * ETags of the instance and of the activities' rows. The instance is not locked: any other write of it changes its ETag,
 * and then the batch is refused (docs/decisions/activities.md).
 */
import { checkFusedAck, type FusedAck, type FusedOutcome, ProviderError } from "@duroxide-ts/core/stores";
import { remember, tellClients } from "../commit/after-commit.ts";
import { type Commit, goesOn, withDelivered } from "../commit/commit.ts";
import { CommitClaims } from "../commit/commit-claims.ts";
import { type Ended, planCommit } from "../commit/plan-commit.ts";
import { type PreparedTurn, toPreparedTurn } from "../commit/prepared-turn.ts";
import { writeCommit } from "../commit/write-commit.ts";
import { sendOn } from "../delivering/deliver.ts";
import { type Unchanged, unchangedInstance } from "../fetching/unchanged-instance.ts";
import { ACTIVITY_LEASE } from "../leases/activity-lease.ts";
import { findValidLease } from "../leases/lease.ts";
import { parseActivityToken } from "../leases/lock-token.ts";
import { touchSession } from "../leases/touch-session.ts";
import { endPermitAfter } from "../limits/end-permit.ts";
import type { ActivityLease } from "../memory/held.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { COMMIT_MARGIN_MS, DELIVERY_MS, FIND_LOCK_MS } from "../memory/waits.ts";
import { isOneBatch } from "../service/split.ts";

const OPERATION = "ackFusedTurn";

const OVERTAKEN: FusedOutcome = { kind: "overtaken" };

export async function ackFusedTurn(parts: Parts, ack: FusedAck): Promise<FusedOutcome> {
  checkFusedAck(OPERATION, ack);
  const instanceId = ack.instanceId.toWellFormed();
  const secret = parts.service.random.uuid();
  const turn = toPreparedTurn(OPERATION, ack, { instanceId, secret });
  const finding = new Work(parts, OPERATION, FIND_LOCK_MS);
  const leases = await leasesOf(finding, instanceId, ack.activityTokens);
  const endsAtMs = Math.min(...leases.map(({ lockedUntilMs }) => lockedUntilMs));
  const leftMs = endsAtMs - parts.clock.now() - COMMIT_MARGIN_MS;
  const work = new Work(parts, OPERATION, Math.max(0, leftMs));
  const unchanged = await unchangedInstance(work, instanceId, ack.historyTag);
  if (unchanged === undefined) return OVERTAKEN;
  const commit = await commitOn(work, unchanged, turn, leases);
  if (commit === undefined) return OVERTAKEN;
  await sendOn(work.within(DELIVERY_MS), commit, turn.cancelled, goesOn(commit));
  for (const lease of leases) await touchSession(parts, lease);
  await endPermitAfter(work, commit.locked.notes, commit.after);
  return { kind: "committed", historyTag: secret };
}

async function leasesOf(
  work: Work,
  instanceId: string,
  tokens: readonly string[],
): Promise<readonly ActivityLease[]> {
  const parsed = tokens.map((token) => parseActivityToken(OPERATION, token));
  if (parsed.some((token) => token.instanceId !== instanceId)) throw ProviderError.lockLost(OPERATION);
  return Promise.all(parsed.map((token) => findValidLease(ACTIVITY_LEASE, work, token)));
}

/** Later requests of these activities name no row that is taken over. */
function endedBy({ memory }: Work, leases: readonly ActivityLease[]): Ended {
  const own = leases.filter(({ takeover }) => takeover === "possible");
  for (const lease of own) memory.heldActivities.set({ ...lease, takeover: "begun" });
  return {
    etags: new Map(leases.map(({ row }) => [row.id, row.etag])),
    free: own.map(({ row }) => row.id),
  };
}

/** Undefined if another write of the instance or of an activity came first, or the batch is too large. */
async function commitOn(
  work: Work,
  { instance, isRead }: Unchanged,
  turn: PreparedTurn,
  leases: readonly ActivityLease[],
): Promise<Commit | undefined> {
  const { memory } = work;
  const { instanceId, secret } = turn.token;
  const nowMs = work.clock.now();
  const ended = endedBy(work, leases);
  const planned = await planCommit(work, { instanceId, secret, instance, rows: [] }, turn, ended);
  if (!isOneBatch(planned.size)) return undefined;
  using sending = memory.instances.sending(instanceId);
  using taken = memory.delivered.take(instanceId);
  const unclaimed = withDelivered(planned, taken.ids);
  using claims = new CommitClaims(work, unclaimed, true);
  const claimed = claims.in(unclaimed);
  const outcome = await writeCommit(work, claimed);
  if (outcome.kind === "lost") memory.instances.forget(instanceId, work.clock.now());
  if (outcome.kind !== "done") return undefined;
  taken.deleted(claimed.delivered);
  for (const { secret: ofLock, row } of leases) {
    memory.heldActivities.delete(ofLock);
    memory.activities.remove(row.id);
  }
  memory.instances.began(instanceId, isRead, nowMs);
  remember(work, sending, claimed, outcome.value);
  tellClients(work, turn, outcome.value);
  await claims.won(work, claimed, outcome.value);
  return claimed;
}
