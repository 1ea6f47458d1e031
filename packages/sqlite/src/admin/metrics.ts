/**
 * Figures that are cheap enough to poll: totals are counted as they change, depths count index entries of the
 * queues (docs/reference/provider-contract.md §15).
 */
import type { QueueDepths, SystemMetrics } from "@duroxide-ts/core/stores";
import type { Totals } from "../commit/effects.ts";
import type { Database } from "../connection/database.ts";

const TOTALS = "SELECT instances, running, completed, failed, executions, events FROM totals";

/** Starts from the instances that are due, so that rows of locked ones are not touched. */
const VISIBLE_MESSAGES = `SELECT coalesce(sum((SELECT count(*) FROM orchestrator_queue AS q
    WHERE q.instance_key = i.instance_key AND q.visible_at <= ?1)), 0) AS depth
  FROM instances AS i WHERE i.due_at <= ?1`;

const FUTURE_MESSAGES = "SELECT count(*) AS depth FROM orchestrator_queue WHERE visible_at > ?";

/** Two ranges of partial indexes: ready activities, and activities that the next fetch would promote. */
const READY_ACTIVITIES = `SELECT
    (SELECT count(*) FROM worker_queue WHERE due_at = 0 AND session_id IS NULL)
    + (SELECT count(*) FROM worker_queue WHERE due_at = 0 AND session_id IS NOT NULL)
    + (SELECT count(*) FROM worker_queue WHERE due_at > 0 AND due_at <= ?) AS depth`;

/** Counts entries of two indexes that have only blocked work. */
const BLOCKED = `SELECT (SELECT count(*) FROM instances WHERE blocked_since IS NOT NULL)
  + (SELECT count(*) FROM worker_queue WHERE blocked_since IS NOT NULL) AS blocked`;

const DEAD_MESSAGES = "SELECT count(*) AS dead FROM dead_letters";

export function findTotals(db: Database): Totals {
  return db.get<Totals>(TOTALS) ?? NO_TOTALS;
}

const NO_TOTALS = { instances: 0, running: 0, completed: 0, failed: 0, executions: 0, events: 0 };

export function getSystemMetrics(db: Database): SystemMetrics {
  const totals = findTotals(db);
  return {
    totalInstances: totals.instances,
    totalExecutions: totals.executions,
    runningInstances: totals.running,
    completedInstances: totals.completed,
    failedInstances: totals.failed,
    totalEvents: totals.events,
    blockedWork: countBlocked(db),
    deadMessages: db.get<{ dead: number }>(DEAD_MESSAGES)?.dead ?? 0,
  };
}

function countBlocked(db: Database): number {
  return db.get<{ blocked: number }>(BLOCKED)?.blocked ?? 0;
}

export function getQueueDepths(db: Database, nowMs: number): QueueDepths {
  const depth = (sql: string): number => db.get<{ depth: number }>(sql, nowMs)?.depth ?? 0;
  return {
    orchestratorQueue: depth(VISIBLE_MESSAGES),
    workerQueue: depth(READY_ACTIVITIES),
    timerQueue: depth(FUTURE_MESSAGES),
    runningInstances: findTotals(db).running,
    blockedWork: countBlocked(db),
  };
}
