/** Counts over the whole service, added up over its physical partitions. */
import type { JSONValue } from "@azure/cosmos";
import type { QueueDepths, SystemMetrics } from "@duroxide-ts/core";
import { IS_BLOCKED } from "../documents/blocked.ts";
import { IS_DEAD } from "../documents/dead.ts";
import { RANKED_FROM, RANKED_TO } from "../documents/ranked.ts";
import { UNLOCKED } from "../documents/unlocked.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { ADMIN_TIMEOUT_MS } from "../memory/waits.ts";
import { IS_NAMED, IS_NO_SCHEDULE } from "./named-instances.ts";

type Count = (condition: string, parameters?: Readonly<Record<string, JSONValue>>) => Promise<number>;

function counter(parts: Parts, operation: string): Count {
  const work = new Work(parts, operation, ADMIN_TIMEOUT_MS);
  return async (condition, parameters = {}) => {
    const counts = await work.queryAll<number>(`SELECT VALUE COUNT(1) FROM c WHERE ${condition}`, parameters);
    return counts.reduce((sum, each) => sum + each, 0);
  };
}

export async function getSystemMetrics(parts: Parts): Promise<SystemMetrics> {
  const count = counter(parts, "getSystemMetrics");
  const [
    total,
    begun,
    withoutEvents,
    totalEvents,
    runningInstances,
    completedInstances,
    failedInstances,
    dead,
    blocked,
  ] = await Promise.all([
    count(`${IS_NAMED} AND ${IS_NO_SCHEDULE}`),
    count("c.type = 'history' AND c.eventId = 1"),
    count("c.type = 'instance' AND c.duroxideTs.lastEventId = 0 AND IS_DEFINED(c.duroxideTs.startedAt)"),
    count("c.type = 'history'"),
    countWithStatus(count, "Running"),
    countWithStatus(count, "Completed"),
    countWithStatus(count, "Failed"),
    count(IS_DEAD),
    countBlocked(parts, count),
  ]);
  return {
    totalInstances: total,
    totalExecutions: begun + withoutEvents,
    runningInstances,
    completedInstances,
    failedInstances,
    totalEvents,
    deadMessages: dead,
    ...blocked,
  };
}

/** Nothing on a container without the index: gauges ask again and again, and each answer would read all documents. */
async function countBlocked(parts: Parts, count: Count): Promise<Pick<SystemMetrics, "blockedWork">> {
  return parts.service.hasBlockedIndex ? { blockedWork: await count(IS_BLOCKED) } : {};
}

function countWithStatus(count: Count, status: string): Promise<number> {
  return count(`${IS_NAMED} AND ${IS_NO_SCHEDULE} AND c.status = @status`, { "@status": status });
}

/** A message that arrived before its start is hidden, and is part of the turn that begins with the start. */
const TAKEN = `(IS_DEFINED(c.duroxideTs.postponedFrom) AND c.duroxideTs.postponedFrom <= @now
  AND ARRAY_CONTAINS(@locked, c.instanceId))`;

/** Messages of a locked instance do not count, although their rows are not locked (docs/decisions/cosmos-turns.md). */
export async function getQueueDepths(parts: Parts): Promise<QueueDepths> {
  const operation = "getQueueDepths";
  const count = counter(parts, operation);
  const now = { "@now": parts.clock.now() };
  const locked = await new Work(parts, operation, ADMIN_TIMEOUT_MS).queryAll<string>(
    "SELECT VALUE c.instanceId FROM c WHERE c.type = 'instance' AND c.lockedUntil > @now",
    { "@now": now["@now"] },
  );
  const due = `c.type = 'orch_queue' AND c.visibleAt <= @now AND ${UNLOCKED}`;
  const [orchestratorQueue, workerQueue, timerQueue, runningInstances, blocked] = await Promise.all([
    count(`${due} AND NOT ARRAY_CONTAINS(@locked, c.instanceId)`, { ...now, "@locked": [...locked] }),
    count(
      `c.type = 'worker_queue' AND (c.visibleAt <= @now OR (c.visibleAt >= @from AND c.visibleAt < @to)) AND ${UNLOCKED}`,
      {
        ...now,
        // The place of a ranked row is beyond all times, and its delay is a lock (documents/ranked.ts).
        "@from": RANKED_FROM,
        "@to": RANKED_TO,
      },
    ),
    count(`c.type = 'orch_queue' AND c.visibleAt > @now AND NOT ${TAKEN}`, {
      ...now,
      "@locked": [...locked],
    }),
    countWithStatus(count, "Running"),
    countBlocked(parts, count),
  ]);
  return { orchestratorQueue, workerQueue, timerQueue, runningInstances, ...blocked };
}
