/** Gives a turn back before it is done (docs/reference/provider-contract.md §8). */
import { type AbandonOptions, later, toDurationMs } from "@duroxide-ts/core/stores";
import { parseInstanceToken } from "../lock-token.ts";
import type { Store } from "../store/store.ts";
import { findTurn } from "../turn/find-held-turn.ts";
import { giveBackTurn } from "../turn/give-back.ts";

const OPERATION = "abandonOrchestrationItem";

const PATIENCE_MS = 10_000;

export async function abandonOrchestrationItem(
  store: Store,
  lockToken: string,
  { delayMs, ignoreAttempt = false, blocked }: AbandonOptions = {},
): Promise<void> {
  const token = parseInstanceToken(OPERATION, lockToken);
  const hiddenForMs = delayMs === undefined ? undefined : toDurationMs(OPERATION, "delayMs", delayMs);
  const call = store.requests.call(OPERATION, PATIENCE_MS);
  const visibleAtMs = hiddenForMs === undefined ? undefined : later(store.clock.now(), hiddenForMs);
  const held = await findTurn(store, call, token);
  await giveBackTurn(store, call, held, { visibleAtMs, ignoreAttempt, blocked });
}
