/** Gives an activity back (docs/reference/provider-contract.md §10). */
import { type AbandonOptions, toDurationMs } from "@duroxide-ts/core/stores";
import { parseActivityToken } from "../lock-token.ts";
import type { Store } from "../store/store.ts";
import { giveBackActivity } from "../work/give-back-activity.ts";

const OPERATION = "abandonWorkItem";

const PATIENCE_MS = 10_000;

export async function abandonWorkItem(
  store: Store,
  lockToken: string,
  { delayMs = 0, ignoreAttempt = false, blocked }: AbandonOptions = {},
): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs);
  const call = store.requests.call(OPERATION, PATIENCE_MS);
  await giveBackActivity(store, call, token, { hiddenForMs, ignoreAttempt, blocked });
}
