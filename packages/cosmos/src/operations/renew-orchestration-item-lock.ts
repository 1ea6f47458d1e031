/** Extends a valid lock: one write of the instance document (docs/reference/provider-contract.md §8, §8.2). */
import { later, type RenewOptions, toDurationMs } from "@duroxide-ts/core/stores";
import { extendTurn } from "../leases/extend-turn.ts";
import { findValidLease } from "../leases/lease.ts";
import { parseInstanceToken } from "../leases/lock-token.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { FIND_LOCK_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "renewOrchestrationItemLock";

export async function renewOrchestrationItemLock(
  service: Service,
  memory: Memory,
  lockToken: string,
  extendMs: number,
  options: RenewOptions = {},
): Promise<void> {
  const token = parseInstanceToken(OPERATION, lockToken);
  const durationMs = toDurationMs(OPERATION, "extendMs", extendMs);
  await memory.heldTurns.get(token.secret)?.start?.store();
  const finding = { memory, call: service.call(OPERATION, FIND_LOCK_MS) };
  const lease = await findValidLease(TURN_LEASE, finding, token);
  if (lasts(lease, later(service.clock.now(), durationMs), options)) return;
  const call = service.call(OPERATION, lease.lockedUntilMs - service.clock.now());
  await extendTurn({ memory, call }, lease, durationMs, options);
}

/** A staged commit has extended the lock for longer (commit/staging.ts). A write would only change the ETag. */
function lasts(
  { lockedUntilMs, isUnwritten }: TurnLease,
  untilMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions,
): boolean {
  return lockedUntilMs > untilMs && isUnwritten !== true && !ignoreAttempt && !alone;
}
