/** The instances that have changed since a time, with the tags of their last commits, in one statement. */
import type { Database } from "../connection/database.ts";
import { fromText, toText } from "../rows/codec.ts";

const CHANGED = `SELECT i.instance_id, i.history_tag FROM json_each(?) AS asked
  CROSS JOIN instances AS i ON i.instance_id = asked.value
  WHERE i.updated_at >= ? AND i.orchestration_name IS NOT NULL`;

export function changedInstances(
  db: Database,
  instanceIds: readonly string[],
  sinceMs: number,
): ReadonlyMap<string, string> {
  const rows = db.all<{ readonly instance_id: string; readonly history_tag: string | null }>(
    CHANGED,
    JSON.stringify(instanceIds.map(toText)),
    sinceMs,
  );
  return new Map(rows.map(({ instance_id, history_tag }) => [fromText(instance_id), history_tag ?? ""]));
}
