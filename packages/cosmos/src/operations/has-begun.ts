/** Whether an activity was fetched, or is not in the queue any more. Rows of Rust have random ids, so a query finds it. */
import type { ActivityId } from "@duroxide-ts/core/stores";
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS } from "../memory/waits.ts";

const WAITS = `SELECT VALUE c.id FROM c WHERE c.type = 'worker_queue' AND c.activityId = @activity
  AND c.executionId = @execution AND c.attemptCount = 0`;

export async function hasBegun(
  parts: Parts,
  instanceId: string,
  { executionId, activityId }: Omit<ActivityId, "instanceId">,
): Promise<boolean> {
  const rows = await new Work(parts, "hasBegun", READ_TIMEOUT_MS).query<string>(instanceId, WAITS, {
    "@activity": activityId,
    "@execution": executionId,
  });
  return rows.length === 0;
}
