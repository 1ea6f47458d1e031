/**
 * The schema to which the migrations lead, as a new file gets it, which is quicker than one migration after another.
 * A new migration changes both (new-schema.test.ts compares them), and its comment explains what it brings. Columns and
 * indexes are in the order of the migrations.
 */
export const newestSchema = `
CREATE TABLE instances (
  instance_key INTEGER PRIMARY KEY,
  instance_id TEXT NOT NULL UNIQUE,
  orchestration_name TEXT,
  orchestration_version TEXT,
  parent_instance_id TEXT,
  execution_id INTEGER NOT NULL DEFAULT 0,
  pinned_version TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'Running',
  completed_at INTEGER,
  last_event_id INTEGER NOT NULL DEFAULT 0,
  history_tag TEXT,
  kv_layers INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER,
  lock_token TEXT,
  context_misses INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  blocked_since INTEGER,
  blocked TEXT,
  failure_category TEXT,
  suspended_since INTEGER,
  suspended TEXT,
  left_to TEXT
) STRICT;
CREATE INDEX instances_due ON instances (pinned_version, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX instances_finished ON instances (completed_at, parent_instance_id) WHERE completed_at IS NOT NULL;

CREATE TABLE executions (
  instance_key INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  output TEXT,
  failed_event_id INTEGER,
  pinned_version TEXT,
  started_at INTEGER NOT NULL,
  completed_at INTEGER,
  PRIMARY KEY (instance_key, execution_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE custom_statuses (
  instance_key INTEGER PRIMARY KEY,
  custom_status TEXT,
  version INTEGER NOT NULL
) STRICT;

CREATE TABLE kv_store (
  instance_key INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  last_updated_at INTEGER NOT NULL,
  PRIMARY KEY (instance_key, key)
) STRICT;

CREATE TABLE kv_delta (
  instance_key INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT,
  last_updated_at INTEGER NOT NULL,
  PRIMARY KEY (instance_key, key)
) STRICT;

CREATE TABLE orchestrator_queue (
  id INTEGER PRIMARY KEY,
  instance_key INTEGER NOT NULL,
  visible_at INTEGER NOT NULL,
  lock_token TEXT,
  attempt_count INTEGER NOT NULL DEFAULT 0,
  work_item TEXT NOT NULL,
  order_at INTEGER NOT NULL DEFAULT 0,
  begins INTEGER NOT NULL DEFAULT 0,
  ran_alone INTEGER NOT NULL DEFAULT 0,
  parent_instance_id TEXT
) STRICT;
CREATE INDEX orchestrator_queue_visible ON orchestrator_queue (instance_key, visible_at);

CREATE TABLE worker_queue (
  id INTEGER PRIMARY KEY,
  instance_key INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  activity_id INTEGER NOT NULL,
  lane TEXT NOT NULL,
  session_id TEXT,
  due_at INTEGER NOT NULL DEFAULT 0,
  lock_token TEXT,
  attempt_count INTEGER NOT NULL DEFAULT 0,
  orchestration_name TEXT,
  orchestration_version TEXT,
  work_item TEXT NOT NULL,
  blocked_since INTEGER,
  blocked TEXT,
  ran_alone INTEGER NOT NULL DEFAULT 0,
  queued_at INTEGER NOT NULL DEFAULT 0,
  left_to TEXT
) STRICT;
CREATE INDEX worker_queue_ready ON worker_queue (lane) WHERE due_at = 0 AND session_id IS NULL;
CREATE INDEX worker_queue_ready_sessions ON worker_queue (session_id, lane)
  WHERE due_at = 0 AND session_id IS NOT NULL;
CREATE INDEX worker_queue_waiting ON worker_queue (due_at) WHERE due_at > 0;
CREATE INDEX worker_queue_activity ON worker_queue (instance_key, execution_id, activity_id);
CREATE INDEX worker_queue_session ON worker_queue (session_id) WHERE session_id IS NOT NULL;

CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL,
  locked_until INTEGER NOT NULL,
  last_activity_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_owner ON sessions (owner_id);
CREATE INDEX sessions_expiry ON sessions (locked_until);

CREATE TABLE dead_letters (
  id INTEGER PRIMARY KEY,
  queue TEXT NOT NULL,
  instance_id TEXT NOT NULL,
  work_item TEXT NOT NULL,
  reason TEXT NOT NULL,
  moved_at INTEGER NOT NULL
) STRICT;

CREATE TABLE totals (
  instances INTEGER NOT NULL,
  running INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  executions INTEGER NOT NULL,
  events INTEGER NOT NULL
) STRICT;
CREATE INDEX orchestrator_queue_moved ON orchestrator_queue (instance_key, order_at)
  WHERE visible_at <> order_at;
CREATE INDEX orchestrator_queue_begins ON orchestrator_queue (instance_key) WHERE begins = 1;
CREATE INDEX instances_blocked ON instances (blocked_since) WHERE blocked_since IS NOT NULL;
CREATE INDEX worker_queue_blocked ON worker_queue (blocked_since) WHERE blocked_since IS NOT NULL;

CREATE TABLE message_ids (
  day INTEGER NOT NULL,
  instance_key INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  PRIMARY KEY (day, instance_key, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX orchestrator_queue_parent ON orchestrator_queue (parent_instance_id)
  WHERE parent_instance_id IS NOT NULL;
CREATE INDEX instances_by_creation ON instances (status, created_at) WHERE orchestration_name IS NOT NULL;
CREATE INDEX instances_by_update ON instances (status, updated_at) WHERE orchestration_name IS NOT NULL;
CREATE INDEX instances_by_name ON instances (orchestration_name, orchestration_version, created_at)
  WHERE orchestration_name IS NOT NULL;
CREATE INDEX instances_by_parent ON instances (parent_instance_id, created_at)
  WHERE parent_instance_id IS NOT NULL;
CREATE INDEX instances_by_failure ON instances (failure_category, created_at)
  WHERE failure_category IS NOT NULL;
CREATE INDEX orchestrator_queue_by_time ON orchestrator_queue (visible_at);
CREATE INDEX worker_queue_blocked_of ON worker_queue (instance_key, blocked_since)
  WHERE blocked_since IS NOT NULL;

CREATE TABLE workers (
  worker_id TEXT PRIMARY KEY,
  report TEXT NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX instances_suspended ON instances (suspended_since) WHERE suspended_since IS NOT NULL;

CREATE TABLE history (
  id INTEGER PRIMARY KEY,
  instance_key INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX history_events ON history (instance_key, execution_id, event_id);
CREATE INDEX instances_left ON instances (left_to, due_at) WHERE left_to IS NOT NULL;
CREATE INDEX worker_queue_left ON worker_queue (left_to) WHERE left_to IS NOT NULL;
INSERT INTO totals VALUES (0, 0, 0, 0, 0, 0);
`;
