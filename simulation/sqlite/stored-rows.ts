/** The contents of the file at an instant. */
import type { HistoryEvent } from "@duroxide-ts/core";
import type { DecodedEvents } from "../store/decoded-events.ts";
import type { ShownInstance, Stored, StoredEnd } from "../store/simulated-store.ts";
import type { DatabaseSync } from "./database-sync.ts";

/** Before the first process has opened the file. */
export const NOTHING_STORED: Stored = {
  histories: new Map(),
  decode: () => {
    throw new Error("nothing is stored");
  },
  leftovers: [],
  ends: [],
  instances: [],
  contradictions: [],
};

interface InstanceRow {
  readonly instance_key: number;
  readonly instance_id: string;
  readonly execution_id: number;
  readonly status: string;
  readonly output: string | null;
  readonly custom_status: string | null;
}

interface HistoryRow {
  readonly instance_id: string;
  readonly execution_id: number;
  readonly event: string;
}

interface ExecutionRow {
  readonly instance_key: number;
  readonly execution_id: number;
  readonly status: string;
}

interface EntryRow {
  readonly instance_key: number;
  readonly key: string;
  readonly value: string | null;
}

const INSTANCES = `SELECT i.instance_key, instance_id, i.execution_id, i.status, output, custom_status
  FROM instances AS i LEFT JOIN executions USING (instance_key, execution_id)
  LEFT JOIN custom_statuses USING (instance_key) WHERE orchestration_name IS NOT NULL`;

const HISTORY = `SELECT instance_id, h.execution_id, e.value AS event
  FROM history AS h JOIN instances USING (instance_key) JOIN json_each('[' || event || ']') AS e
  ORDER BY instance_key, h.execution_id, event_id, e.key`;

/** The changes of the current execution come last. */
const ENTRIES = `SELECT instance_key, key, value FROM kv_store
  UNION ALL SELECT instance_key, key, value FROM kv_delta`;

interface TagRow {
  readonly instance_key: number;
  readonly tag_key: string;
  readonly tag_value: string | number;
}

const OF_INSTANCES = [
  "executions",
  "instance_tags",
  "custom_statuses",
  "kv_store",
  "kv_delta",
  "orchestrator_queue",
  "worker_queue",
  "history",
  "message_ids",
] as const;

/** Rows of instances that are not there: a later instance may get their key. */
const WITHOUT_INSTANCE = OF_INSTANCES.map(
  (table) => `SELECT '${table}' AS name, count(*) AS number FROM ${table} AS t
    WHERE NOT EXISTS (SELECT 1 FROM instances AS i WHERE i.instance_key = t.instance_key)`,
).join(" UNION ALL ");

/** Schedules are no instances of users. */
const COUNTED = `SELECT count(*) AS instances, count(*) FILTER (WHERE status = 'Running') AS running,
    count(*) FILTER (WHERE status = 'Completed') AS completed, count(*) FILTER (WHERE status = 'Failed') AS failed,
    (SELECT count(*) FROM executions) AS executions, (SELECT coalesce(sum(event_count), 0) FROM history) AS events
  FROM instances WHERE orchestration_name IS NOT NULL AND instance_id NOT LIKE 'schedule:%'`;

const LEFT_OVER = [
  "SELECT 'message left over: ' || work_item AS what FROM orchestrator_queue",
  "SELECT 'activity left over: ' || work_item FROM worker_queue",
  "SELECT 'dead letter: ' || work_item FROM dead_letters",
  "SELECT 'locked: ' || instance_id FROM instances WHERE lock_token IS NOT NULL",
].join(" UNION ALL ");

export class StoredRows implements Stored {
  readonly histories: ReadonlyMap<string, readonly string[]>;
  readonly #events: DecodedEvents;
  readonly instances: readonly ShownInstance[];
  readonly leftovers: readonly string[];
  readonly ends: readonly StoredEnd[];
  readonly contradictions: readonly string[];

  constructor(db: DatabaseSync, events: DecodedEvents) {
    this.#events = events;
    const isNew = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'history'").get() === undefined;
    const all = <Row>(sql: string): readonly Row[] => (isNew ? [] : (db.prepare(sql).all() as Row[]));
    const rows = all<HistoryRow>(HISTORY);
    const executions = Map.groupBy(rows, (row) => `${row.instance_id}#${row.execution_id}`);
    this.histories = new Map([...executions].map(([key, each]) => [key, each.map(({ event }) => event)]));
    this.instances = shownIn(
      all<InstanceRow>(INSTANCES),
      all<ExecutionRow>("SELECT instance_key, execution_id, status FROM executions"),
      all<EntryRow>(ENTRIES),
      all<TagRow>("SELECT instance_key, tag_key, tag_value FROM instance_tags"),
    );
    this.ends = all<StoredEnd>(
      "SELECT instance_id || '#' || execution_id AS key, status FROM instances WHERE execution_id > 0",
    );
    this.leftovers = all<{ what: string }>(LEFT_OVER).map(({ what }) => what);
    const [counted] = all<object>(COUNTED);
    const [totals] = all<object>(
      "SELECT instances, running, completed, failed, executions, events FROM totals",
    );
    const isCounted = JSON.stringify(counted) === JSON.stringify(totals);
    this.contradictions = [
      ...all<{ name: string; number: number }>(WITHOUT_INSTANCE).flatMap(({ name, number }) =>
        number === 0 ? [] : [`${number} rows of ${name} without their instance`],
      ),
      ...(isCounted ? [] : [`the totals are ${JSON.stringify(totals)}, the rows ${JSON.stringify(counted)}`]),
    ];
  }

  decode(event: string): HistoryEvent {
    return this.#events.decode(event);
  }
}

const NOTHING: ReadonlyMap<string, string> = new Map();

function shownIn(
  instances: readonly InstanceRow[],
  executions: readonly ExecutionRow[],
  entries: readonly EntryRow[],
  tags: readonly TagRow[],
): readonly ShownInstance[] {
  const tagsOf = Map.groupBy(tags, ({ instance_key: key }) => key);
  const statuses = new Map<number, Map<number, string>>();
  for (const { instance_key: key, execution_id: id, status } of executions)
    statuses.set(key, (statuses.get(key) ?? new Map()).set(id, status));
  const values = new Map<number, Map<string, string>>();
  for (const { instance_key: instanceKey, key, value } of entries) {
    const known = values.get(instanceKey) ?? new Map<string, string>();
    values.set(instanceKey, known);
    if (value === null) known.delete(key);
    else known.set(key, value);
  }
  return instances.map(({ instance_key: key, ...row }) => ({
    instanceId: row.instance_id,
    executionId: row.execution_id,
    status: row.status,
    output: row.output,
    customStatus: row.custom_status,
    tags: Object.fromEntries(
      (tagsOf.get(key) ?? []).map(({ tag_key: name, tag_value: value }) => [
        name,
        typeof value === "number" ? value : value.slice(1),
      ]),
    ),
    entries: values.get(key) ?? NOTHING,
    executions: statuses.get(key) ?? new Map(),
  }));
}
