/** Extends a valid lock: one write of the instance document (docs/reference/provider-contract.md §8, §8.2). */
import { later, type RenewOptions, toDurationMs } from "@duroxide-ts/core/stores";
import { extendTurn } from "../leases/extend-turn.ts";
import { findValidLease } from "../leases/lease.ts";
import { parseInstanceToken } from "../leases/lock-token.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import type { TurnLease } from "../memory/held.ts";
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
  await parts.memory.heldTurns.get(token.secret)?.start?.store();
  const finding = new Work(parts, OPERATION, FIND_LOCK_MS);
  const lease = await findValidLease(TURN_LEASE, finding, token);
  if (lasts(lease, later(parts.clock.now(), durationMs), options)) return;
  const work = new Work(parts, OPERATION, lease.lockedUntilMs - parts.clock.now());
  await extendTurn(work, lease, durationMs, options);
}

/** A staged commit has extended the lock for longer (commit/staging.ts). A write would only change the ETag. */
function lasts(
  { lockedUntilMs, isUnwritten }: TurnLease,
  untilMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions,
): boolean {
  return lockedUntilMs > untilMs && isUnwritten !== true && !ignoreAttempt && !alone;
}
