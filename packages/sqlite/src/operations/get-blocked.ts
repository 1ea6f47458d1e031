/** What of one instance is blocked: itself first, then its activities in queue order. */
import type { Blocked } from "@duroxide-ts/core";
import { toBlocked, toBlockedActivity } from "../blocked.ts";
import { decodeActivity, toText } from "../codec.ts";
import type { Database } from "../database.ts";
import { snapshot } from "../reader.ts";

const INSTANCE = "SELECT instance_key, blocked FROM instances WHERE instance_id = ?";

const ACTIVITIES = `SELECT blocked, work_item FROM worker_queue
  WHERE instance_key = ? AND blocked_since IS NOT NULL ORDER BY id`;

/** An activity with its block, as columns. */
export interface BlockedActivityRow {
  readonly blocked: string;
  readonly work_item: string;
}

export function getBlocked(db: Database, instanceId: string): readonly Blocked[] {
  return snapshot(db, () => {
    const row = db.get<{ instance_key: number; blocked: string | null }>(INSTANCE, toText(instanceId));
    if (row === undefined) return [];
    const activities = db.all<BlockedActivityRow>(ACTIVITIES, row.instance_key).flatMap(blockedActivity);
    return row.blocked === null ? activities : [toBlocked(instanceId, row.blocked), ...activities];
  });
}

/** Nothing for an activity that cannot be read; the next fetch sets it aside. */
export function blockedActivity({ blocked, work_item: workItem }: BlockedActivityRow): readonly Blocked[] {
  try {
    return [toBlockedActivity(decodeActivity(workItem), blocked)];
  } catch {
    return [];
  }
}
