/**
 * Deletes old executions with their events: never the current or a running one, and only executions that satisfy every
 * condition. KV, custom status and queues belong to the instance and are kept (docs/reference/provider-contract.md
 * §16).
 */
import { ProviderError, type PruneOptions, type PruneResult } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { deleteEvents } from "../storing/delete-events.ts";

const FIND = `SELECT instance_key, execution_id FROM instances
  WHERE instance_id = ? AND orchestration_name IS NOT NULL`;

/** The lowest of the executions to keep. */
const LOWEST_KEPT = `SELECT execution_id FROM executions WHERE instance_key = ?
  ORDER BY execution_id DESC LIMIT 1 OFFSET ?`;

const PRUNED = `execution_id < ?2 AND status <> 'Running' AND (?3 IS NULL OR completed_at < ?3)`;

const PRUNED_EVENTS = `instance_key = ?1 AND execution_id IN
  (SELECT execution_id FROM executions WHERE instance_key = ?1 AND ${PRUNED})`;

const DELETE_EXECUTIONS = `DELETE FROM executions WHERE instance_key = ?1 AND ${PRUNED}`;

export function pruneExecutions(
  operation: string,
  instanceId: string,
  options: PruneOptions,
): WriteOperation<PruneResult> {
  const id = toText(instanceId);
  // 0 and absent mean 1, because the current execution is always kept.
  const keepLast = Math.max(1, options.keepLast ?? 1);
  const completedBeforeMs = options.completedBeforeMs ?? null;
  return (tx) => {
    const instance = tx.db.get<{ instance_key: number; execution_id: number }>(FIND, id);
    if (instance === undefined) throw ProviderError.notFound(operation, instanceId);
    const { instance_key: key, execution_id: current } = instance;
    const lowest = tx.db.get<{ execution_id: number }>(LOWEST_KEPT, key, keepLast - 1);
    const before = Math.min(current, lowest?.execution_id ?? 0);
    const eventsDeleted = deleteEvents(tx, PRUNED_EVENTS, key, before, completedBeforeMs);
    const executionsDeleted = tx.db.run(DELETE_EXECUTIONS, key, before, completedBeforeMs);
    tx.effects.count("events", -eventsDeleted);
    tx.effects.count("executions", -executionsDeleted);
    return { instancesProcessed: 1, executionsDeleted, eventsDeleted };
  };
}
