/** Releases a turn without a commit (docs/reference/provider-contract.md §8). */
import { type AbandonOptions, later, toDurationMs } from "@duroxide-ts/core/stores";
import { giveBackTurn } from "../leases/give-back-turn.ts";
import { findLease } from "../leases/lease.ts";
import { parseInstanceToken } from "../leases/lock-token.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import type { Memory } from "../memory/memory.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "abandonOrchestrationItem";

export async function abandonOrchestrationItem(
  service: Service,
  memory: Memory,
  lockToken: string,
  { delayMs, ignoreAttempt = false, blocked }: AbandonOptions = {},
): Promise<void> {
  const token = parseInstanceToken(OPERATION, lockToken);
  const hiddenForMs = delayMs === undefined ? undefined : toDurationMs(OPERATION, "delayMs", delayMs);
  const call = service.call(OPERATION, WRITE_PATIENCE_MS);
  const visibleAtMs = hiddenForMs === undefined ? undefined : later(service.clock.now(), hiddenForMs);
  await memory.heldTurns.get(token.secret)?.start?.store();
  const held = await findLease(TURN_LEASE, { memory, call }, token);
  await giveBackTurn(memory, call, held, { visibleAtMs, ignoreAttempt, blocked });
}
