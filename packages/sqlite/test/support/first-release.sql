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
  events INTEGER NOT NULL,
  time_ms INTEGER NOT NULL
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
INSERT INTO instances (instance_key, instance_id, orchestration_name, orchestration_version, parent_instance_id, execution_id, pinned_version, status, completed_at, last_event_id, history_tag, kv_layers, due_at, lock_token, context_misses, created_at, updated_at, blocked_since, blocked, failure_category, suspended_since, suspended, left_to)
  VALUES (1, 'open', 'order', '1.0.0', NULL, 1, '0.1.32', 'Running', NULL, 6, 'e7ba0858-39c3-4c27-9862-62a7abdfa799', 2, NULL, NULL, 0, 1795876627774, 1795876627790, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO instances (instance_key, instance_id, orchestration_name, orchestration_version, parent_instance_id, execution_id, pinned_version, status, completed_at, last_event_id, history_tag, kv_layers, due_at, lock_token, context_misses, created_at, updated_at, blocked_since, blocked, failure_category, suspended_since, suspended, left_to)
  VALUES (2, 'ended', 'order', '1.0.0', NULL, 1, '0.1.32', 'Completed', 1795876627793, 8, 'bfbf6cf5-d4d5-4e83-bfb2-bfc98980765e', 1, NULL, NULL, 0, 1795876627781, 1795876627793, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO executions (instance_key, execution_id, status, output, failed_event_id, pinned_version, started_at, completed_at)
  VALUES (1, 1, 'Running', NULL, NULL, '0.1.32', 1795876627774, NULL);
INSERT INTO executions (instance_key, execution_id, status, output, failed_event_id, pinned_version, started_at, completed_at)
  VALUES (2, 1, 'Completed', '"Hello, Bob, bye"', NULL, '0.1.32', 1795876627781, 1795876627793);
INSERT INTO custom_statuses (instance_key, custom_status, version)
  VALUES (1, '"waits"', 1);
INSERT INTO custom_statuses (instance_key, custom_status, version)
  VALUES (2, '"waits"', 1);
INSERT INTO kv_store (instance_key, key, value, last_updated_at)
  VALUES (2, 'first', '"Hello, Bob"', 1795876627792);
INSERT INTO kv_delta (instance_key, key, value, last_updated_at)
  VALUES (1, 'first', '"Hello, Ada"', 1795876627789);
INSERT INTO totals (instances, running, completed, failed, executions, events, time_ms)
  VALUES (2, 1, 1, 0, 2, 14, 1795876629813);
INSERT INTO message_ids (day, instance_key, message_id)
  VALUES (20785, 2, '1e35f093ce9bc92d81da:3f09bfeb-54da-4ba9-b01b-a81ba259d25b');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (1, 1, 1, 1, '{"event_id":1,"source_event_id":null,"instance_id":"open","execution_id":1,"timestamp_ms":1795876627771,"duroxide_version":"0.1.32","type":"OrchestrationStarted","name":"order","version":"1.0.0","input":"\"Ada\"","parent_instance":null,"parent_id":null,"run_id":"b3ddf557db64f860"}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (2, 1, 1, 2, '{"event_id":2,"source_event_id":null,"instance_id":"open","execution_id":1,"timestamp_ms":1795876627772,"duroxide_version":"0.1.32","type":"ActivityScheduled","name":"greet","input":"\"Ada\""}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (3, 2, 1, 1, '{"event_id":1,"source_event_id":null,"instance_id":"ended","execution_id":1,"timestamp_ms":1795876627780,"duroxide_version":"0.1.32","type":"OrchestrationStarted","name":"order","version":"1.0.0","input":"\"Bob\"","parent_instance":null,"parent_id":null,"run_id":"82d0b1a86ed10390"}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (4, 2, 1, 2, '{"event_id":2,"source_event_id":null,"instance_id":"ended","execution_id":1,"timestamp_ms":1795876627781,"duroxide_version":"0.1.32","type":"ActivityScheduled","name":"greet","input":"\"Bob\""}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (5, 2, 1, 3, '{"event_id":3,"source_event_id":null,"instance_id":"ended","execution_id":1,"timestamp_ms":1795876627787,"duroxide_version":"0.1.32","type":"ExternalEventPersistent","name":"answers","data":"\"bye\""}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (6, 1, 1, 3, '{"event_id":3,"source_event_id":2,"instance_id":"open","execution_id":1,"timestamp_ms":1795876627789,"duroxide_version":"0.1.32","type":"ActivityCompleted","result":"\"Hello, Ada\"","ran":{"started_at_ms":1795876627779,"worker_id":"work-0-ebd6a197-0113-4eed-810d-575b9769c252","attempt":1}}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (7, 1, 1, 4, '{"event_id":4,"source_event_id":null,"instance_id":"open","execution_id":1,"timestamp_ms":1795876627789,"duroxide_version":"0.1.32","type":"KeyValueSet","key":"first","value":"\"Hello, Ada\"","last_updated_at_ms":1795876627789}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (8, 1, 1, 5, '{"event_id":5,"source_event_id":null,"instance_id":"open","execution_id":1,"timestamp_ms":1795876627789,"duroxide_version":"0.1.32","type":"CustomStatusUpdated","status":"\"waits\""}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (9, 1, 1, 6, '{"event_id":6,"source_event_id":null,"instance_id":"open","execution_id":1,"timestamp_ms":1795876627789,"duroxide_version":"0.1.32","type":"ExternalSubscribedPersistent","name":"answers"}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (10, 2, 1, 4, '{"event_id":4,"source_event_id":2,"instance_id":"ended","execution_id":1,"timestamp_ms":1795876627792,"duroxide_version":"0.1.32","type":"ActivityCompleted","result":"\"Hello, Bob\"","ran":{"started_at_ms":1795876627786,"worker_id":"work-1-ebd6a197-0113-4eed-810d-575b9769c252","attempt":1}}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (11, 2, 1, 5, '{"event_id":5,"source_event_id":null,"instance_id":"ended","execution_id":1,"timestamp_ms":1795876627793,"duroxide_version":"0.1.32","type":"KeyValueSet","key":"first","value":"\"Hello, Bob\"","last_updated_at_ms":1795876627792}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (12, 2, 1, 6, '{"event_id":6,"source_event_id":null,"instance_id":"ended","execution_id":1,"timestamp_ms":1795876627793,"duroxide_version":"0.1.32","type":"CustomStatusUpdated","status":"\"waits\""}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (13, 2, 1, 7, '{"event_id":7,"source_event_id":null,"instance_id":"ended","execution_id":1,"timestamp_ms":1795876627793,"duroxide_version":"0.1.32","type":"ExternalSubscribedPersistent","name":"answers"}');
INSERT INTO history (id, instance_key, execution_id, event_id, event)
  VALUES (14, 2, 1, 8, '{"event_id":8,"source_event_id":null,"instance_id":"ended","execution_id":1,"timestamp_ms":1795876627793,"duroxide_version":"0.1.32","type":"OrchestrationCompleted","output":"\"Hello, Bob, bye\""}');
PRAGMA application_id = 1685615731;
PRAGMA user_version = 10;
