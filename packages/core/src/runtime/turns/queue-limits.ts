/**
 * Limits of waits for a worker (`queueTimeout`, docs/decisions/activities.md). History does not say when an activity
 * begins, so the store is asked when the timer of the limit fires. If the activity has begun, the message of the
 * timer is left out of the turn, and consumed with it. An activity that begins after the question is dropped: its
 * limit had passed.
 */
import type { OrchestrationItem, Provider } from "../../contract/provider.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import type { Batch } from "../messages/batch.ts";

export async function withoutBegun(
  provider: Provider,
  { instanceId, executionId }: OrchestrationItem,
  batch: Batch,
  index: HistoryIndex,
): Promise<Batch> {
  const begun = new Set<OrchestratorItem>();
  for (const message of batch.messages) {
    if (message.kind !== "TimerFired" || Number(message.execution_id) !== executionId) continue;
    const attempt = index.schedule(message.id)?.queueLimitOf;
    if (attempt === undefined || index.schedule(attempt)?.answered === true) continue;
    const activity = { instanceId, executionId, activityId: Number(attempt) };
    if (await provider.hasBegun(activity)) begun.add(message);
  }
  if (begun.size === 0) return batch;
  return { ...batch, messages: batch.messages.filter((message) => !begun.has(message)) };
}
