/** Extends a valid lock: one write of the instance document (docs/reference/provider-contract.md §8, §8.2). */
import { type RenewOptions, toDurationMs } from "@duroxide-ts/core/stores";
import { actionsOf } from "../leases/actions-of.ts";
import { findValidLease } from "../leases/lease.ts";
import { parseInstanceToken } from "../leases/lock-token.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { FIND_LOCK_MS } from "../memory/waits.ts";

const OPERATION = "renewOrchestrationItemLock";

export async function renewOrchestrationItemLock(
  parts: Parts,
  lockToken: string,
  extendMs: number,
  options: RenewOptions = {},
): Promise<void> {
  const token = parseInstanceToken(OPERATION, lockToken);
  const durationMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const finding = new Work(parts, OPERATION, FIND_LOCK_MS);
  const lease = await findValidLease(TURN_LEASE, finding, token);
  const work = new Work(parts, OPERATION, lease.lockedUntilMs - parts.clock.now());
  await actionsOf(lease).renew(work, durationMs, options);
}
