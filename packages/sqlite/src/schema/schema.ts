const HOLDING = "CREATE INDEX instances_held ON instances (held_since) WHERE held_since IS NOT NULL;";
const STARTING = "CREATE INDEX instances_starting ON instances (starts_at) WHERE starts_at IS NOT NULL;";

/** The second schema: tags of instances. */
export const TAGS = `
CREATE TABLE instance_tags (
  instance_key INTEGER NOT NULL,
  tag_key TEXT NOT NULL,
  tag_value ANY NOT NULL,
  instance_created_at INTEGER NOT NULL,
  PRIMARY KEY (instance_key, tag_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX instance_tags_by_value ON instance_tags (tag_key, tag_value, instance_created_at);
`;

/** The third schema: limits and priorities of activities. */
export const LIMITS = `
CREATE TABLE limits (
  limit_key TEXT PRIMARY KEY,
  rule TEXT,
  per_ms INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  changed_by TEXT,
  reason TEXT,
  applied TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE limit_rates (
  limit_key TEXT PRIMARY KEY,
  spent_until REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE limit_queues (
  limit_key TEXT NOT NULL,
  lane TEXT NOT NULL,
  group_key TEXT NOT NULL,
  rank INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  overdue_at INTEGER NOT NULL,
  held INTEGER NOT NULL DEFAULT 0,
  open_at INTEGER,
  PRIMARY KEY (limit_key, lane)
) STRICT, WITHOUT ROWID;
CREATE INDEX limit_queues_open ON limit_queues (lane, rank, turn) WHERE held = 0;
CREATE INDEX limit_queues_of_group ON limit_queues (group_key, held, lane, rank, turn);
CREATE INDEX limit_queues_due ON limit_queues (open_at) WHERE open_at IS NOT NULL;
CREATE INDEX limit_queues_turn ON limit_queues (turn);
CREATE INDEX limit_queues_overdue ON limit_queues (overdue_at) WHERE rank > 1;
CREATE INDEX worker_queue_ranked ON worker_queue (limit_key, lane, priority) WHERE due_at = 1;
CREATE INDEX worker_queue_permits ON worker_queue (limit_key, due_at) WHERE lock_token IS NOT NULL AND limit_key IS NOT NULL;
`;

/** The columns of them in tables of before. */
export const LIMIT_COLUMNS = `
ALTER TABLE worker_queue ADD COLUMN limit_key TEXT;
ALTER TABLE worker_queue ADD COLUMN priority INTEGER;
`;

/** The fourth schema: times of delayed starts, and a category for each failure. */
export const STARTS: string = `
ALTER TABLE instances ADD COLUMN starts_at INTEGER;
${STARTING}
UPDATE instances SET failure_category = 'unknown' WHERE status = 'Failed' AND failure_category IS NULL;
`;

/** The fifth schema: limits of instances. */
export const HELD: string = `
ALTER TABLE instances ADD COLUMN limit_key TEXT;
ALTER TABLE instances ADD COLUMN held_since INTEGER;
${HOLDING}
`;

/** The sixth schema: which processes hold locks. */
export const HOLDERS = `
CREATE TABLE lock_holders (
  space TEXT NOT NULL,
  holder TEXT NOT NULL,
  pid INTEGER NOT NULL,
  began TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (space, holder)
) STRICT, WITHOUT ROWID;
CREATE INDEX lock_holders_added ON lock_holders (added_at);
`;

/** The column of it in a table of before. */
export const HOLDER_COLUMN = `
ALTER TABLE sessions ADD COLUMN holder TEXT;
`;

/** The seventh schema: rows of a history with several events. */
export const EVENT_COUNT: string = "ALTER TABLE history ADD COLUMN event_count INTEGER NOT NULL DEFAULT 1;";

/** The eighth schema: streams. */
export const STREAMS = `
CREATE TABLE streams (
  stream_key INTEGER PRIMARY KEY,
  instance_key INTEGER NOT NULL,
  name TEXT NOT NULL,
  first_offset INTEGER NOT NULL DEFAULT 0,
  next_offset INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  closed INTEGER NOT NULL DEFAULT 0,
  UNIQUE (instance_key, name)
) STRICT;
CREATE TABLE stream_batches (
  id INTEGER PRIMARY KEY,
  stream_key INTEGER NOT NULL,
  first_offset INTEGER NOT NULL,
  items INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  step TEXT,
  call TEXT,
  delivery TEXT,
  attempt INTEGER NOT NULL,
  since INTEGER NOT NULL,
  written INTEGER NOT NULL,
  voids INTEGER,
  batch TEXT NOT NULL,
  UNIQUE (stream_key, first_offset)
) STRICT;
CREATE INDEX stream_batches_of_step ON stream_batches (stream_key, step, first_offset) WHERE step IS NOT NULL;
CREATE INDEX stream_batches_restarts ON stream_batches (stream_key, first_offset) WHERE voids IS NOT NULL;
`;

/** The ninth schema: progress of activities. */
export const PROGRESS = `
CREATE TABLE step_progress (
  instance_key INTEGER NOT NULL,
  call TEXT NOT NULL,
  execution_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  delivery TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  at INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (instance_key, call)
) STRICT, WITHOUT ROWID;
`;

/** The tenth schema: announcements of commits that are synced apart. */
export const SYNCED_APART: string =
  "ALTER TABLE totals ADD COLUMN synced_apart_until INTEGER NOT NULL DEFAULT 0;";

/**
 * The schema of a file. A change of it is a migration (migrate.ts) and a change here, with the columns and indexes of a
 * table in the order of the migrations. What is not obvious (docs/decisions/sqlite-files.md):
 *
 * - `instances` has a row for every id that was ever used, as the anchor of queue rows and of the lock. The instance
 *   exists for clients once an acknowledgement has given it an `orchestration_name`. What may be large and seldom
 *   changes lives elsewhere, because every turn rewrites the row.
 * - `due_at` is the time at which a fetch next has to examine a row: for an instance, when its oldest message is
 *   visible or, while it is locked, when the lock ends (NULL: nothing queued); for an activity 0 when it may be taken,
 *   else when its lock or its delay ends. A fetch thus never reads locked and future rows, and a lock is valid while
 *   its token matches and `due_at` is in the future.
 * - `lane` is '' for an activity without a tag and '=' || tag for one with a tag.
 * - `order_at` of a message is set when the row is added and never changes; `visible_at` moves with every delay. Most
 *   rows have both equal, so `orchestrator_queue_visible` has them in their order, and the few others have a partial
 *   index of their own. Messages that an execution returned have minus its id in both, so the last ones returned come
 *   first (docs/reference/provider-contract.md, 4.1).
 * - `begins` is 1 for the message with which an execution begins. A batch above the limit always includes it.
 * - `blocked`, `suspended` and `left_to` (the name of the code that a row waits for,
 *   docs/decisions/attempts-and-blocked-work.md) are NULL for nearly every row, and their indexes have only rows that
 *   have them. `blocked` and `suspended` are JSON, and repeat their times in a column, because lists are ordered by it.
 * - `message_ids` are kept by day: a look-up reads two days, and older rows are deleted from the beginning of the table
 *   without an index (docs/decisions/messages.md).
 * - A list without a condition on the name merges one range of an index for each status, and a list of a name one for
 *   each of its versions, so each page reads its own rows only (docs/decisions/queries.md). `instances_by_update`
 *   changes with every turn, the others with the first turn, or with the status.
 * - `failure_category` is set by the turn that fails the instance, `unknown` without details. It is valid only while the
 *   status is `Failed`, and tells cancelled instances from failed ones.
 * - `limit_key` of an instance is that of its permit, and `held_since` is set while it waits for that.
 * - `lock_holders` has a row for each process that has locked something; a lock token begins with `holder`
 *   (fetching/dead-holders.ts).
 * - `starts_at` is that of a delayed start, also when it is past; NULL for nearly every row.
 * - `queued_at` is the time at which an activity was queued; `due_at` of a ready activity is 0.
 * - A row of `history` has events with consecutive ids: `event_id` is the first id, `event_count` their number, and
 *   `event` their texts with commas between them. Most turns thus add one row (storing/add-events.ts).
 * - Events are in the order of their commits, so that those of a commit are neighbours, and so are most entries of the
 *   index, because they are small (docs/decisions/sqlite-commits.md). No operation may rely on the order of `id`,
 *   because ids at the end are used again after a deletion.
 * - `limit_key` and `priority` are NULL for nearly every activity. One that has them waits with `due_at` 1 in the queue of
 *   its key, which has a row in `limit_queues` (limits/queues.ts). `rule` of `limits` is JSON, and NULL for
 *   a rule that was deleted; `spent_until` has fractions of a ms.
 * - A batch of a stream has values with offsets from `first_offset` on. `since` is the offset of the first value of its
 *   attempt, `written` what its delivery has written with it, and `voids`, in the first batch of an attempt that replaces
 *   another, the `since` of that one (streams/stream-rows.ts). `step`, `call` and `delivery` are NULL for code.
 * - `instance_tags` repeats the creation time of the instance, so that the instances of a tag are read in the order of a
 *   list. A value is a REAL, or a text with its kind in front: `s` and a string, `b0` or `b1` (rows/tags.ts).
 */
export const schema: string = `
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
  left_to TEXT,
  starts_at INTEGER,
  limit_key TEXT,
  held_since INTEGER
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
  left_to TEXT,
  limit_key TEXT,
  priority INTEGER
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
  last_activity_at INTEGER NOT NULL,
  holder TEXT
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
  time_ms INTEGER NOT NULL,
  synced_apart_until INTEGER NOT NULL DEFAULT 0
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
  event TEXT NOT NULL,
  event_count INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX history_events ON history (instance_key, execution_id, event_id);
CREATE INDEX instances_left ON instances (left_to, due_at) WHERE left_to IS NOT NULL;
CREATE INDEX worker_queue_left ON worker_queue (left_to) WHERE left_to IS NOT NULL;
${TAGS}${LIMITS}${STARTING}
${HOLDING}
${HOLDERS}${STREAMS}${PROGRESS}INSERT INTO totals VALUES (0, 0, 0, 0, 0, 0, 0, 0);
`;
