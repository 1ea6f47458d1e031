/** Releases an activity (docs/reference/provider-contract.md §10). */
import { type AbandonOptions, toDurationMs } from "@duroxide-ts/core/stores";
import { giveBackActivity } from "../leases/give-back-activity.ts";
import { parseActivityToken } from "../leases/lock-token.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";

const OPERATION = "abandonWorkItem";

export async function abandonWorkItem(
  parts: Parts,
  lockToken: string,
  { delayMs = 0, ignoreAttempt = false, blocked }: AbandonOptions = {},
): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs);
  const work = new Work(parts, OPERATION, WRITE_PATIENCE_MS);
  await giveBackActivity(work, token, { hiddenForMs, ignoreAttempt, blocked });
}
