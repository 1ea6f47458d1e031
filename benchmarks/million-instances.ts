/** A SQLite file with many instances. The rows are written with SQL, because a million turns would take an hour. */
import { DatabaseSync } from "node:sqlite";
import { SqliteProvider } from "@duroxide-ts/sqlite";

export const INSTANCES = 1_000_000;
/** Time between the starts of two instances, ms. */
export const START_GAP_MS = 60;
export const LONG_EVENTS = 10_000;
/** It runs, and has 10,000 events: activities one after another. */
export const LONG_INSTANCE: string = longInstanceOf(INSTANCES);
const TIMERS = 100_000;
/** The creation of the first instance. */
export const BEGINNING_MS = Date.UTC(2026, 0, 1);

/** Returns the long instance of a file with this number of instances, a multiple of 200. */
export function longInstanceOf(instances: number): string {
  return idOf(longKeyOf(instances));
}

function longKeyOf(instances: number): number {
  return instances / 2 + 1;
}

/** `number` counts from 1. */
export function idOf(number: number): string {
  return `order-${String(number).padStart(8, "0")}`;
}

/** Twenty orchestrations in three versions, and as many tenants; of 100 instances 10 run and 5 have failed. */
function rows(instances: number): string {
  const longKey = longKeyOf(instances);
  return `
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${instances})
INSERT INTO instances (instance_key, instance_id, orchestration_name, orchestration_version, parent_instance_id,
    execution_id, status, completed_at, last_event_id, created_at, updated_at, failure_category)
  SELECT i, printf('order-%08d', i), printf('orchestration-%02d', i % 20), printf('%d.0.0', 1 + i / 400000),
    iif(i % 10 = 3, printf('order-%08d', i - 1), NULL), 1,
    CASE WHEN i % 100 < 10 THEN 'Running' WHEN i % 100 < 15 THEN 'Failed' ELSE 'Completed' END,
    iif(i % 100 < 10, NULL, ${BEGINNING_MS} + i * ${START_GAP_MS} + 5000), 5,
    ${BEGINNING_MS} + i * ${START_GAP_MS}, ${BEGINNING_MS} + i * ${START_GAP_MS} + (i * 7919) % 600000,
    CASE WHEN i % 100 < 10 OR i % 100 >= 15 THEN NULL WHEN i % 1000 = 10 THEN 'cancelled' ELSE 'application' END
  FROM n;
INSERT INTO instance_tags (instance_key, tag_key, tag_value, instance_created_at)
  SELECT instance_key, 'tenant', printf('stenant-%02d', instance_key % 20), created_at FROM instances
  UNION ALL SELECT instance_key, 'priority', CAST(instance_key % 10 AS REAL), created_at FROM instances
  UNION ALL SELECT instance_key, 'order', CAST(instance_key AS REAL), created_at FROM instances;
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
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LONG_EVENTS})
INSERT INTO history (instance_key, execution_id, event_id, event)
  SELECT ${longKey}, 1, i, json_patch(json_object('event_id', i, 'instance_id', '${longInstanceOf(instances)}', 'execution_id', 1,
      'timestamp_ms', ${BEGINNING_MS} + ${longKey} * ${START_GAP_MS} + i * 20, 'duroxide_version', '0.1.32'),
    CASE WHEN i = 1 THEN '{"type":"OrchestrationStarted","name":"orchestration-01","version":"2.0.0","input":"{}"}'
      WHEN i % 2 = 0 THEN '{"type":"ActivityScheduled","name":"charge","input":"{\\"cents\\":1990}"}'
      ELSE json_object('type', 'ActivityCompleted', 'source_event_id', i - 1, 'result', '"r-42"') END) FROM n;
UPDATE instances SET last_event_id = ${LONG_EVENTS} WHERE instance_key = ${longKey};
UPDATE totals SET instances = ${instances}, running = ${instances / 10}, failed = ${instances / 20},
  completed = ${(instances * 17) / 20};
`;
}

export async function fillWithInstances(path: string, instances: number = INSTANCES): Promise<void> {
  await (await SqliteProvider.open(path)).close();
  const db = new DatabaseSync(path);
  try {
    db.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN; ${rows(instances)} COMMIT`);
  } finally {
    db.close();
  }
}
