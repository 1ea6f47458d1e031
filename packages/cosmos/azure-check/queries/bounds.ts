/**
 * Bounds of what the first page of each query of the provider may cost, RU, among many documents of which few are asked
 * for (docs/cosmos/queries.md). A query that costs more reads documents that its index should leave out.
 */
import type { Scale } from "../scale.ts";
import type { AskedQuery } from "./capture.ts";

/**
 * `found`: reads what it finds. `named`: reads documents of the ids that it names. `page`: walks over an index until its
 * page is full, with conditions that are looked up. `all`: reads the index, or the documents, of a type. `partition`: as
 * `all`, in one logical partition.
 */
export type Reads = "found" | "named" | "page" | "all" | "partition";

/** Kinds of reads by the beginning of the text; the longest beginning decides. */
const BY_BEGINNING: Readonly<Record<string, Reads>> = {
  "SELECT c.id, c.instanceId, c.visibleAt FROM c WHERE c.type = 'orch_queue' AND c.visibleAt <= @now":
    "found",
  "SELECT * FROM c WHERE c.type = 'worker_queue' AND c.visibleAt <= @now": "found",
  "SELECT * FROM c WHERE c.type = 'worker_queue' AND c.visibleAt >= @from AND c.visibleAt < @to": "found",
  "SELECT VALUE c.id FROM c WHERE c.type = 'worker_queue' AND c.visibleAt >= @from AND c.visibleAt < @to":
    "found",
  "SELECT VALUE c.type FROM c WHERE c.visibleAt <= @now": "found",
  "SELECT * FROM c WHERE (c.type = 'outbox_intent' AND c.status IN ('pending', 'unshared')) OR c.type IN":
    "found",
  "SELECT * FROM c WHERE c.type = 'session_owner'": "found",
  "SELECT * FROM c WHERE c.type IN ('session_owner', 'session') AND c.lockedUntil < @now": "found",
  "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'worker_queue' AND c.sessionId = @session": "found",
  "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'history'": "all",
  "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'instance'": "all",
  "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'orch_queue'": "all",
  "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'orch_queue' AND c.visibleAt <= @now": "found",
  "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'worker_queue' AND (c.visibleAt <= @now OR (c.visibleAt >= @from AND c.visibleAt < @to))":
    "found",
  "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'worker_queue' AND c.visibleAt >= @from AND c.visibleAt < @to":
    "found",
  "SELECT VALUE MIN(c.enqueuedAt) FROM c WHERE c.type = 'worker_queue' AND c.visibleAt >= @from AND c.visibleAt < @to":
    "found",
  "SELECT c.id, c.instanceId, c.type, c.visibleAt, c._etag FROM c WHERE (c.type = 'instance' AND c.lockedUntil > @now":
    "page",
  "SELECT c.id, c.instanceId, c.type, c.visibleAt, c._etag FROM c WHERE (c.type = 'session_owner'": "page",
  "SELECT c.id, c.instanceId, c.level, c.shares, c._etag FROM c WHERE c.type = 'limit_use'": "found",
  "SELECT * FROM c WHERE c.type = 'limit_rule'": "found",
  "SELECT VALUE c.key FROM c WHERE c.type = 'limit_rule' AND IS_DEFINED(c.rule)": "found",
  "SELECT VALUE COUNT(1) FROM c WHERE (c.type = 'dead_letter' OR": "found",
  "SELECT VALUE COUNT(1) FROM c WHERE c.duroxideTs.blocked.sinceMs >= 0": "found",
  "SELECT VALUE c.instanceId FROM c WHERE c.type = 'instance' AND c.lockedUntil > @now": "found",
  "SELECT c.instanceId, c.orchestrationName, c.orchestrationVersion, c.currentExecutionId, c.status, LEFT(c.output,":
    "page",
  "SELECT c.status AS status, IS_DEFINED(c.duroxideTs.completedAt) AS ended": "all",
  "SELECT c.instanceId, c.parentInstanceId FROM c WHERE c.type = 'instance'": "named",
  "SELECT c.instanceId, c.status, c.parentInstanceId, c.updatedAt, c.duroxideTs.completedAt FROM c": "all",
  "SELECT VALUE c.instanceId FROM c WHERE c.type = 'instance' AND c.orchestrationName != ''": "named",
  "SELECT c.instanceId, c._etag FROM c WHERE c.type = 'instance' AND c._ts >= @since": "named",
  "SELECT c.id, c.type, c.instanceId, c.workItem, c.visibleAt": "page",
  "SELECT c.instanceId, c.lockedUntil, c.duroxideTs.taken, IS_DEFINED(c.duroxideTs.suspended) AS isSuspended FROM c WHERE c.type = 'instance'":
    "found",
  "SELECT c.instanceId, c.executionId, c.activityId, c.duroxideTs.blocked FROM c": "found",
  "SELECT c.id, c.instanceId, c.reason, c.putAsideAt": "found",
  "SELECT c.type, c.id, c.instanceId, c.reason, c.putAsideAt, c.document": "found",
  "SELECT c.id, c.instanceId, c.targetInstanceId, c.attemptCount, c.createdAt FROM c": "found",
  "SELECT * FROM c WHERE (c.type = 'orch_queue' AND STARTSWITH(c.workItem, '{\"StartOrchestration\"')": "all",
};

/** Undefined for a query that is in no row. */
export function readsOf({ text, partitionKey }: AskedQuery): Reads | undefined {
  if (partitionKey !== undefined) return "partition";
  const line = text.replaceAll(/\s+/g, " ");
  const [longest] = Object.entries(BY_BEGINNING)
    .filter(([begin]) => line.startsWith(begin))
    .toSorted(([a], [b]) => b.length - a.length);
  return longest?.[1];
}

const FEW_RU = 30;
const PAGE_RU = 100;
/** Charge of each stored document, RU. */
const SCAN_RU = 0.05;

/** `partitions`: into which the documents are divided evenly. */
export function mostRu(
  reads: Reads,
  { queueRows, instances }: Scale,
  { partitions, isEmulator }: { readonly partitions: number; readonly isEmulator: boolean },
): number {
  const all = FEW_RU + SCAN_RU * (queueRows + instances);
  switch (reads) {
    case "found":
      return FEW_RU;
    case "partition":
      return FEW_RU + (all - FEW_RU) / partitions;
    case "all":
      return all;
    // The local endpoint charges for all documents where it has to look up one condition.
    default:
      return isEmulator ? all : reads === "page" ? PAGE_RU : FEW_RU;
  }
}
