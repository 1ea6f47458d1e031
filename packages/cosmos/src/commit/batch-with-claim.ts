/** A batch that also locks work for a waiting fetch (docs/decisions/cosmos-turns.md). */
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import { lockOperation, ownLock } from "../leases/take-lock.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation, BatchOutcome } from "../service/batch.ts";
import type { TurnClaim } from "./claim-turn.ts";

export interface ClaimingOutcome {
  readonly outcome: BatchOutcome;
  /** The instance document with the lock, if the lock was stored. */
  readonly locked?: Instance | undefined;
}

/**
 * The lock is the last operation, so its position tells its refusal from that of the caller's operations. If it alone is
 * refused, another process has written the instance: the batch is written without it, and the claim is not won. After an
 * attempt without an answer the operations are refused because they are stored; whether the lock is stored with them, the
 * instance document says. `repeated` must outlive the second batch, since it is what tells the caller that a refusal of
 * its own operations may be caused by itself.
 */
export async function batchWithClaim(
  work: Work,
  instanceId: string,
  operations: readonly BatchOperation[],
  claim: TurnClaim | undefined,
): Promise<ClaimingOutcome> {
  if (claim === undefined) return { outcome: await work.batch(instanceId, operations) };
  const { lock } = claim;
  const operation = lockOperation(lock, claim.instance);
  const outcome = await work.batch(instanceId, [...operations, operation]);
  if (outcome.ok) {
    const id = instanceDocumentId(instanceId);
    return { outcome, locked: writtenInstance(work.operation, id, lock.body, outcome.etags.at(-1)) };
  }
  const isLockRefused = outcome.index === operations.length;
  if (!isLockRefused) return { outcome, locked: outcome.repeated ? await ownLock(work, lock) : undefined };
  work.memory.instances.forget(instanceId, work.clock.now());
  const alone = await work.batch(instanceId, operations);
  return { outcome: outcome.repeated ? { ...alone, repeated: true } : alone };
}
