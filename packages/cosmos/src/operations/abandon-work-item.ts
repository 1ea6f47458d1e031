/** Releases an activity (docs/reference/provider-contract.md §10). */
import { type AbandonOptions, toDurationMs } from "@duroxide-ts/core/stores";
import { giveBackActivity } from "../leases/give-back-activity.ts";
import { parseActivityToken } from "../leases/lock-token.ts";
import type { Memory } from "../memory/memory.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "abandonWorkItem";

export async function abandonWorkItem(
  service: Service,
  memory: Memory,
  lockToken: string,
  { delayMs = 0, ignoreAttempt = false, blocked }: AbandonOptions = {},
): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs);
  const call = service.call(OPERATION, WRITE_PATIENCE_MS);
  await giveBackActivity(memory, call, token, { hiddenForMs, ignoreAttempt, blocked });
}
