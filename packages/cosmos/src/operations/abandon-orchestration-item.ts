/** Gives a turn back before it is done (docs/reference/provider-contract.md §8). */
import type { AbandonOptions } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { findTurn } from "../leases/find-held-turn.ts";
import { giveBackTurn } from "../leases/give-back-turn.ts";
import { parseInstanceToken } from "../leases/lock-token.ts";
import type { Store } from "../memory/store.ts";

const OPERATION = "abandonOrchestrationItem";

const PATIENCE_MS = 10_000;

export async function abandonOrchestrationItem(
  store: Store,
  lockToken: string,
  { delayMs, ignoreAttempt = false, blocked }: AbandonOptions = {},
): Promise<void> {
  const token = parseInstanceToken(OPERATION, lockToken);
  const hiddenForMs = delayMs === undefined ? undefined : toDurationMs(OPERATION, "delayMs", delayMs);
  const call = store.service.call(OPERATION, PATIENCE_MS);
  const visibleAtMs = hiddenForMs === undefined ? undefined : later(store.clock.now(), hiddenForMs);
  const held = await findTurn(store, call, token);
  await giveBackTurn(store, call, held, { visibleAtMs, ignoreAttempt, blocked });
}
