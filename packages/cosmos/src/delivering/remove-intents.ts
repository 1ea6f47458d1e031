/**
 * Deletes intents whose messages have arrived. What is not deleted stays; the reconciler finds that it was delivered, and
 * deletes it.
 */
import type { ProviderError } from "@duroxide-ts/core";
import type { Work } from "../memory/parts.ts";
import { isRefusal } from "../memory/refused-writes.ts";
import { type BatchOperation, MAX_OPERATIONS } from "../service/batch.ts";
import { unfinishedKey } from "../service/unfinished.ts";

export async function removeIntents(work: Work, source: string, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MAX_OPERATIONS) {
    await removeTogether(work, source, ids.slice(from, from + MAX_OPERATIONS));
  }
}

/** An intent that another process has removed fails the batch, and the others are then removed one by one. */
async function removeTogether(work: Work, source: string, ids: readonly string[]): Promise<void> {
  const operations = ids.map((id): BatchOperation => ({ kind: "delete", id }));
  try {
    const outcome = await work.batch(source, operations);
    if (!outcome.ok && operations.length > 1) {
      for (const operation of operations) await work.batch(source, [operation]);
    }
    for (const key of [source, ...ids.map((id) => unfinishedKey(source, id))])
      work.memory.refusedIntents.delete(key);
  } catch (error) {
    // Without a response the next pass retries at once.
    if (isRefusal(error)) noteRefusedRemoval(work, source, ids, error);
  }
}

/** The reconciler leaves them alone for a growing time. Reported once for each sender, until a removal succeeds. */
function noteRefusedRemoval(
  work: Work,
  instanceId: string,
  ids: readonly string[],
  error: ProviderError,
): void {
  const { refusedIntents } = work.memory;
  const nowMs = work.clock.now();
  for (const id of ids) refusedIntents.add(unfinishedKey(instanceId, id), nowMs);
  if (refusedIntents.has(instanceId)) return;
  refusedIntents.add(instanceId, nowMs);
  const what = `${ids.length} delivered message(s) for other instances cannot be removed (${work.operation})`;
  work.service.warn(`${what}: ${error.detail}; the removal is tried again`, { instanceId });
}
