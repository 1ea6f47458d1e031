/** Deletes intents whose messages have arrived. */
import { type BatchOperation, MAX_OPERATIONS } from "../service/batch.ts";
import type { Call } from "../service/service.ts";

export async function removeIntents(call: Call, source: string, ids: readonly string[]): Promise<void> {
  const operations = ids.map((id): BatchOperation => ({ kind: "delete", id }));
  for (let from = 0; from < operations.length; from += MAX_OPERATIONS) {
    await removeTogether(call, source, operations.slice(from, from + MAX_OPERATIONS));
  }
}

/**
 * An intent that another process has removed fails the batch, and the others are then removed one by one. If the
 * service does not respond, they stay; the reconciler finds that they were delivered, and removes them.
 */
async function removeTogether(
  call: Call,
  source: string,
  operations: readonly BatchOperation[],
): Promise<void> {
  const outcome = await call.batch(source, operations).catch(() => undefined);
  if (outcome === undefined || outcome.ok || operations.length === 1) return;
  for (const operation of operations) await call.batch(source, [operation]).catch(() => undefined);
}
