/** Faults of the file when everything has ended: damage, leftovers, histories that cannot be. */
import { DatabaseSync } from "node:sqlite";

/** Each finds rows that there must not be, with a column `what`. */
const CHECKS: Readonly<Record<string, string>> = {
  damage: "SELECT integrity_check AS what FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  "a message that is left": "SELECT work_item AS what FROM orchestrator_queue",
  "an activity that is left": "SELECT work_item AS what FROM worker_queue",
  "a dead letter": "SELECT work_item AS what FROM dead_letters",
  "a lock that is left": "SELECT instance_id AS what FROM instances WHERE lock_token IS NOT NULL",
  "an instance that is due for ever": "SELECT instance_id AS what FROM instances WHERE due_at IS NOT NULL",
  "an instance that did not complete": `SELECT instance_id || ' ' || status AS what FROM instances
    WHERE status <> 'Completed'`,
  "a history with a gap": `SELECT instance_key || '/' || execution_id AS what FROM history
    GROUP BY instance_key, execution_id HAVING min(event_id) <> 1 OR max(event_id + event_count - 1) <> sum(event_count)`,
  "not one end": `SELECT instance_key || '/' || execution_id || ' has ' || ends AS what FROM (
      SELECT instance_key, execution_id, sum(e.value ->> 'type' IN
        ('OrchestrationCompleted', 'OrchestrationFailed', 'OrchestrationContinuedAsNew')) AS ends
      FROM history JOIN json_each('[' || event || ']') AS e GROUP BY instance_key, execution_id) WHERE ends <> 1`,
  "two completions of one call": `SELECT instance_key || '/' || execution_id || '/' || source AS what FROM (
      SELECT instance_key, execution_id, e.value ->> 'source_event_id' AS source, count(*) AS completions
      FROM history JOIN json_each('[' || event || ']') AS e WHERE e.value ->> 'type' IN ('ActivityCompleted', 'ActivityFailed', 'TimerFired',
        'SubOrchestrationCompleted', 'SubOrchestrationFailed')
      GROUP BY instance_key, execution_id, source) WHERE completions <> 1`,
  "a wrong total": `SELECT instances || ' instances, ' || events || ' events' AS what FROM totals
    WHERE instances <> (SELECT count(*) FROM instances WHERE orchestration_name IS NOT NULL)
      OR events <> (SELECT sum(event_count) FROM history) OR executions <> (SELECT count(*) FROM executions)`,
};

export interface Stored {
  readonly events: number;
  readonly violations: readonly string[];
}

export function lookAtStored(path: string): Stored {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const violations = Object.entries(CHECKS).flatMap(([name, sql]) =>
      db
        .prepare(sql)
        .all()
        .map(({ what }) => `${name}: ${String(what)}`),
    );
    return {
      events: Number(db.prepare("SELECT coalesce(sum(event_count), 0) AS events FROM history").get()?.events),
      violations,
    };
  } finally {
    db.close();
  }
}
