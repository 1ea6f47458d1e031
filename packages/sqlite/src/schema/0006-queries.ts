/**
 * Lists of instances in the order of their times, by status, name, parent or failure; queue rows in the order of their
 * times; and the processes that use the file (docs/reference/provider-contract.md §15.1, docs/decisions/0038).
 *
 * - A list without a condition on the name merges one range of an index for each status, and a list of a name one for
 *   each of its versions, so each page reads its own rows only.
 * - `instances_by_update` changes with every turn, the others with the first turn, or with the status.
 * - `failure_category` is set by the turn that fails the instance. It is valid only while the status is `Failed`.
 * - `queued_at` is the time at which an activity was queued; `due_at` of a ready activity is 0.
 */
export const queriesSchema = `
DROP INDEX instances_status;
CREATE INDEX instances_by_creation ON instances (status, created_at) WHERE orchestration_name IS NOT NULL;
CREATE INDEX instances_by_update ON instances (status, updated_at) WHERE orchestration_name IS NOT NULL;
CREATE INDEX instances_by_name ON instances (orchestration_name, orchestration_version, created_at)
  WHERE orchestration_name IS NOT NULL;

DROP INDEX instances_parent;
CREATE INDEX instances_by_parent ON instances (parent_instance_id, created_at)
  WHERE parent_instance_id IS NOT NULL;

ALTER TABLE instances ADD COLUMN failure_category TEXT;
UPDATE instances SET failure_category = (
  SELECT CASE
    WHEN json_type(h.event, '$.details.Application.kind.Cancelled') IS NOT NULL THEN 'cancelled'
    WHEN json_type(h.event, '$.details.Application') IS NOT NULL THEN 'application'
    WHEN json_type(h.event, '$.details.Configuration') IS NOT NULL THEN 'configuration'
    WHEN json_type(h.event, '$.details.Infrastructure') IS NOT NULL THEN 'infrastructure'
    WHEN json_type(h.event, '$.details.Poison') IS NOT NULL THEN 'poison' END
  FROM executions AS e JOIN history AS h
    ON h.instance_key = e.instance_key AND h.execution_id = e.execution_id AND h.event_id = e.failed_event_id
  WHERE e.instance_key = instances.instance_key AND e.execution_id = instances.execution_id
    AND json_valid(h.event))
  WHERE status = 'Failed';
CREATE INDEX instances_by_failure ON instances (failure_category, created_at)
  WHERE failure_category IS NOT NULL;

CREATE INDEX orchestrator_queue_by_time ON orchestrator_queue (visible_at);

ALTER TABLE worker_queue ADD COLUMN queued_at INTEGER NOT NULL DEFAULT 0;
UPDATE worker_queue SET queued_at = coalesce(
  (SELECT updated_at FROM instances WHERE instances.instance_key = worker_queue.instance_key), 0);
CREATE INDEX worker_queue_blocked_of ON worker_queue (instance_key, blocked_since)
  WHERE blocked_since IS NOT NULL;

CREATE TABLE workers (
  worker_id TEXT PRIMARY KEY,
  report TEXT NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
