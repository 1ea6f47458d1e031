/**
 * The first schema. What is not obvious (docs/decisions/0005-sqlite-schema.md):
 *
 * - `instances` has a row for every id that was ever used, as the anchor of queue rows and of the lock. The
 *   instance exists for clients once an acknowledgement has given it an `orchestration_name`.
 * - `due_at` is the time at which a fetch next has to examine a row: for an instance, when its oldest message is
 *   visible or, while it is locked, when the lock ends (NULL: nothing queued); for an activity 0 when it may be taken,
 *   else when its lock or its delay ends. A fetch thus never reads locked and future rows, and a lock is valid while
 *   its token matches and `due_at` is in the future.
 * - Everything that may be large and seldom changes lives outside `instances`, whose rows are rewritten by
 *   every turn.
 * - `lane` is '' for an activity without a tag and '=' || tag for one with a tag.
 */
export const initialSchema = `
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
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX instances_due ON instances (pinned_version, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX instances_status ON instances (status) WHERE orchestration_name IS NOT NULL;
CREATE INDEX instances_finished ON instances (completed_at, parent_instance_id) WHERE completed_at IS NOT NULL;
CREATE INDEX instances_parent ON instances (parent_instance_id) WHERE parent_instance_id IS NOT NULL;

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

CREATE TABLE history (
  instance_key INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (instance_key, execution_id, event_id)
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
  work_item TEXT NOT NULL
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
  work_item TEXT NOT NULL
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
INSERT INTO totals VALUES (0, 0, 0, 0, 0, 0);
`;
