/**
 * Lists of instances in a SQLite file with a million of them: the time of a page, from the call to its result, wherever
 * the page lies. The rows are written with SQL, because a million turns would take an hour.
 */
import { DatabaseSync } from "node:sqlite";
import type { InstanceQuery, ProviderAdmin, ProviderQueries, WorkQuery } from "@duroxide-ts/core/stores";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { withFile } from "./database.ts";
import { latencyFigures, round } from "./figures.ts";

const INSTANCES = 1_000_000;
const TIMERS = 100_000;
const BEGINNING_MS = Date.UTC(2026, 0, 1);

/** Twenty orchestrations in three versions; of 100 instances 10 run and 5 have failed. */
const FILL = `
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${INSTANCES})
INSERT INTO instances (instance_key, instance_id, orchestration_name, orchestration_version, parent_instance_id,
    execution_id, status, completed_at, last_event_id, created_at, updated_at, failure_category)
  SELECT i, printf('order-%08d', i), printf('orchestration-%02d', i % 20), printf('%d.0.0', 1 + i / 400000),
    iif(i % 10 = 3, printf('order-%08d', i - 1), NULL), 1,
    CASE WHEN i % 100 < 10 THEN 'Running' WHEN i % 100 < 15 THEN 'Failed' ELSE 'Completed' END,
    iif(i % 100 < 10, NULL, ${BEGINNING_MS} + i * 60 + 5000), 5,
    ${BEGINNING_MS} + i * 60, ${BEGINNING_MS} + i * 60 + (i * 7919) % 600000,
    CASE WHEN i % 100 < 10 OR i % 100 >= 15 THEN NULL WHEN i % 1000 = 10 THEN 'cancelled' ELSE 'application' END
  FROM n;
INSERT INTO executions (instance_key, execution_id, status, output, failed_event_id, started_at, completed_at)
  SELECT instance_key, 1, status, CASE status WHEN 'Completed' THEN '{"receipt":"r-42"}'
      WHEN 'Failed' THEN 'card declined for ' || instance_id END,
    iif(status = 'Failed', 5, NULL), created_at, completed_at FROM instances;
INSERT INTO history (instance_key, execution_id, event_id, event)
  SELECT instance_key, 1, 5, json_object('event_id', 5, 'source_event_id', NULL, 'instance_id', instance_id,
    'execution_id', 1, 'timestamp_ms', completed_at, 'duroxide_version', '0.1.32', 'type', 'OrchestrationFailed',
    'details', json_object('Application', json_object('kind', 'ActivityFailed', 'message',
      'card declined for ' || instance_id, 'retryable', json('false'))))
  FROM instances WHERE status = 'Failed';
INSERT INTO orchestrator_queue (instance_key, visible_at, order_at, work_item)
  SELECT instance_key, created_at + 86400000, created_at + 86400000, json_object('TimerFired', json_object(
    'instance', instance_id, 'execution_id', 1, 'id', 2, 'fire_at_ms', created_at + 86400000))
  FROM instances WHERE status = 'Running' LIMIT ${TIMERS};
UPDATE totals SET instances = ${INSTANCES};
`;

const QUERIES: Readonly<Record<string, InstanceQuery>> = {
  all: {},
  "oldest first": { order: "created-asc" },
  "by update": { order: "updated-desc" },
  "a name": { filter: { name: ["orchestration-07"] } },
  "a name, failed": { filter: { name: ["orchestration-12"], status: ["Failed"] } },
  "a name, by update": { filter: { name: ["orchestration-07"] }, order: "updated-desc" },
  running: { filter: { status: ["Running"] } },
  "failed, by update": { filter: { status: ["Failed"] }, order: "updated-desc" },
  "failed, of an hour": {
    filter: {
      status: ["Failed"],
      createdFromMs: BEGINNING_MS + 30_000_000,
      createdToMs: BEGINNING_MS + 33_600_000,
    },
  },
  cancelled: { filter: { failureCategory: ["cancelled"] } },
  "an old version, running": { filter: { version: ["1.0.0"], status: ["Running"] } },
  "a prefix of 1,000": { filter: { idPrefix: "order-00500" } },
  "a prefix of 100,000": { filter: { idPrefix: "order-007" } },
  "roots only": { filter: { rootsOnly: true } },
  "children of one": { filter: { parentId: "order-00500002" } },
  blocked: { filter: { blocked: true } },
  "errors with a text": { filter: { errorContains: "00999914" } },
};

const WORK: Readonly<Record<string, WorkQuery>> = {
  "all rows": {},
  "overdue rows": { overdueByMs: 60_000 },
  "rows of one": { instanceId: "order-00500000" },
};

/** Pages that are read of each list. */
const PAGES = 2_000;

export async function measureQueries(): Promise<readonly object[]> {
  return withFile(async (path) => {
    await fill(path);
    await using provider = await SqliteProvider.open(path);
    const { queries } = provider.admin;
    if (queries === undefined) throw new Error("the store has no queries");
    return await measureAll(provider.admin, queries);
  });
}

async function measureAll(admin: ProviderAdmin, queries: ProviderQueries): Promise<readonly object[]> {
  const lines: object[] = [];
  for (const [name, query] of Object.entries(QUERIES)) lines.push(await measureList(name, queries, query));
  for (const [name, query] of Object.entries(WORK)) lines.push(await measureWork(name, queries, query));
  lines.push(await measureOne("count", () => queries.countInstances()));
  lines.push(
    await measureOne("count by all", () => queries.countInstances({}, ["name", "version", "status"])),
  );
  lines.push(
    await measureOne("count of roots", () => queries.countInstances({ rootsOnly: true }, ["status"])),
  );
  lines.push(await measureOne("open", () => admin.getInstanceInfo("order-00500000")));
  return lines;
}

async function fill(path: string): Promise<void> {
  await (await SqliteProvider.open(path)).close();
  const db = new DatabaseSync(path);
  try {
    db.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN; ${FILL} COMMIT`);
  } finally {
    db.close();
  }
}

async function measureList(name: string, queries: ProviderQueries, query: InstanceQuery): Promise<object> {
  return measurePages(`list: ${name}`, async (continuation) => {
    const page = await queries.queryInstances({
      ...query,
      ...(continuation !== undefined && { continuation }),
    });
    return { rows: page.instances.length, continuation: page.continuation };
  });
}

async function measureWork(name: string, queries: ProviderQueries, query: WorkQuery): Promise<object> {
  return measurePages(`work: ${name}`, async (continuation) => {
    const page = await queries.listWork({ ...query, ...(continuation !== undefined && { continuation }) });
    return { rows: page.work.length, continuation: page.continuation };
  });
}

interface Page {
  readonly rows: number;
  readonly continuation: string | undefined;
}

async function measurePages(
  workload: string,
  read: (continuation: string | undefined) => Promise<Page>,
): Promise<object> {
  const times: number[] = [];
  let rows = 0;
  let continuation: string | undefined;
  do {
    const beganMs = performance.now();
    const page = await read(continuation);
    times.push(performance.now() - beganMs);
    rows += page.rows;
    continuation = page.continuation;
  } while (continuation !== undefined && times.length < PAGES);
  return { workload, pages: times.length, rows, first_ms: round(times[0] ?? 0), ...latencyFigures(times) };
}

async function measureOne(workload: string, run: () => Promise<unknown>): Promise<object> {
  const beganMs = performance.now();
  await run();
  return { workload, ms: round(performance.now() - beganMs) };
}
