/** Whether an activity was fetched, or is not in the queue any more. */
import type { ActivityId } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { toText } from "../rows/codec.ts";

const WAITS = `SELECT 1 FROM worker_queue
  WHERE instance_key = (SELECT instance_key FROM instances WHERE instance_id = ?)
    AND execution_id = ? AND activity_id = ? AND attempt_count = 0`;

export function hasBegun(
  db: Database,
  instanceId: string,
  { executionId, activityId }: Omit<ActivityId, "instanceId">,
): boolean {
  return db.get(WAITS, toText(instanceId), executionId, activityId) === undefined;
}
