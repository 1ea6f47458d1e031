/** A batch that also locks work for a waiting fetch (docs/decisions/cosmos-turns.md). */
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import { lockOperation, ownLock } from "../leases/take-lock.ts";
import type { Memory } from "../memory/memory.ts";
import type { BatchOperation, BatchOutcome } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
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
  memory: Memory,
  call: Call,
  instanceId: string,
  operations: readonly BatchOperation[],
  claim: TurnClaim | undefined,
): Promise<ClaimingOutcome> {
  if (claim === undefined) return { outcome: await call.batch(instanceId, operations) };
  const { lock } = claim;
  const operation = lockOperation(lock, claim.instance);
  const outcome = await call.batch(instanceId, [...operations, operation]);
  if (outcome.ok) {
    const id = instanceDocumentId(instanceId);
    return { outcome, locked: writtenInstance(call.operation, id, lock.body, outcome.etags.at(-1)) };
  }
  const isLockRefused = outcome.index === operations.length;
  if (!isLockRefused) return { outcome, locked: outcome.repeated ? await ownLock(call, lock) : undefined };
  memory.instances.forget(instanceId, call.service.clock.now());
  const alone = await call.batch(instanceId, operations);
  return { outcome: outcome.repeated ? { ...alone, repeated: true } : alone };
}
