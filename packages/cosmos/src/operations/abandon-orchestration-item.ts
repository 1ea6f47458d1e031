/** Releases a turn without a commit (docs/reference/provider-contract.md §8). */
import { type AbandonOptions, later, toDurationMs } from "@duroxide-ts/core/stores";
import { actionsOf } from "../leases/actions-of.ts";
import { findLease } from "../leases/lease.ts";
import { parseInstanceToken } from "../leases/lock-token.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";

const OPERATION = "abandonOrchestrationItem";

export async function abandonOrchestrationItem(
  parts: Parts,
  lockToken: string,
  { delayMs, ignoreAttempt = false, blocked }: AbandonOptions = {},
): Promise<void> {
  const token = parseInstanceToken(OPERATION, lockToken);
  const hiddenForMs = delayMs === undefined ? undefined : toDurationMs(OPERATION, "delayMs", delayMs);
  const work = new Work(parts, OPERATION, WRITE_PATIENCE_MS);
  const visibleAtMs = hiddenForMs === undefined ? undefined : later(parts.clock.now(), hiddenForMs);
  const held = await findLease(TURN_LEASE, work, token);
  await actionsOf(held).giveBack(work, { visibleAtMs, ignoreAttempt, blocked });
}
