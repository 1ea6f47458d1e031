/** The blocked work of one instance: itself first, then its activities in queue order. */
import type { Blocked } from "@duroxide-ts/core/stores";
import { snapshot } from "../commit/reader.ts";
import type { Database } from "../connection/database.ts";
import { type BlockedActivityRow, blockedActivity, toBlocked } from "../rows/blocked.ts";
import { toText } from "../rows/codec.ts";

const INSTANCE = "SELECT instance_key, blocked FROM instances WHERE instance_id = ?";

const ACTIVITIES = `SELECT blocked, work_item FROM worker_queue
  WHERE instance_key = ? AND blocked_since IS NOT NULL ORDER BY id`;

export function getBlocked(db: Database, instanceId: string): readonly Blocked[] {
  return snapshot(db, () => {
    const row = db.get<{ instance_key: number; blocked: string | null }>(INSTANCE, toText(instanceId));
    if (row === undefined) return [];
    const activities = db.all<BlockedActivityRow>(ACTIVITIES, row.instance_key).flatMap(blockedActivity);
    return row.blocked === null ? activities : [toBlocked(instanceId, row.blocked), ...activities];
  });
}
