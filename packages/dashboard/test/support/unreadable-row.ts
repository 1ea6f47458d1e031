/** A row in the queue of a SQLite file that no version can read. */
import { DatabaseSync } from "node:sqlite";

const KEY = "(SELECT instance_key FROM instances WHERE instance_id = ?)";

/** The next fetch of a process sets it aside. */
export function putUnreadableRow(file: string, instanceId: string, row: string): void {
  const raw = new DatabaseSync(file);
  raw
    .prepare(
      "INSERT INTO instances (instance_id, created_at, updated_at) VALUES (?, 0, 0) ON CONFLICT DO NOTHING",
    )
    .run(instanceId);
  raw
    .prepare(`INSERT INTO orchestrator_queue (instance_key, visible_at, work_item) VALUES (${KEY}, 0, ?)`)
    .run(instanceId, row);
  raw.prepare("UPDATE instances SET due_at = 0 WHERE instance_id = ?").run(instanceId);
  raw.close();
}
