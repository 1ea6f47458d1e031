/**
 * Removes old executions (docs/reference/provider-contract.md §16; hazards W49, W50). An intent names them first, so
 * that an interrupted pruning is completed. The events of an execution are deleted before its record.
 */
import { ProviderError, type PruneOptions, type PruneResult } from "@duroxide-ts/core";
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
import { executionDocumentId, pruningDocumentId } from "../documents/ids.ts";
import { isNamed } from "../documents/instance.ts";
import { readInstance } from "../leases/read-instance.ts";
import { ADMIN_PATIENCE_MS } from "../memory/waits.ts";
import { MAX_OPERATIONS } from "../service/batch.ts";
import type { Call, Service } from "../service/service.ts";
import { certainly, executionsOf } from "./executions.ts";
import { deleteDocuments } from "./wipe-partition.ts";

export async function pruneExecutions(
  service: Service,
  operation: string,
  instanceId: string,
  { keepLast = 1, completedBeforeMs = Number.POSITIVE_INFINITY }: PruneOptions,
): Promise<PruneResult> {
  const call = service.call(operation, ADMIN_PATIENCE_MS);
  const instance = await readInstance(call, instanceId);
  if (instance === undefined || !isNamed(instance)) throw ProviderError.notFound(operation, instanceId);
  const executions = await executionsOf(call, instance);
  const current = saturatedNumber(instance.document.currentExecutionId);
  const old = executions.slice(0, Math.max(0, executions.length - Math.max(1, keepLast)));
  const ended = await certainly(call, instance, old);
  const pruned = ended.filter(
    ({ executionId, status, completedAtMs = Number.POSITIVE_INFINITY }) =>
      executionId !== current && status !== "Running" && completedAtMs < completedBeforeMs,
  );
  if (pruned.length === 0) return { instancesProcessed: 1, executionsDeleted: 0, eventsDeleted: 0 };
  const executionIds = pruned.map(({ executionId }) => executionId);
  const id = pruningDocumentId(instanceId);
  const body: Body = { id, instanceId, type: "prune_intent", executionIds, createdAt: service.clock.now() };
  await call.batch(instanceId, [{ kind: "upsert", body }]);
  const eventsDeleted = await finishPruning(call, instanceId, executionIds);
  return { instancesProcessed: 1, executionsDeleted: pruned.length, eventsDeleted };
}

const EVENTS = `SELECT VALUE c.id FROM c WHERE c.type = 'history'
  AND ARRAY_CONTAINS(@executions, c.executionId) ORDER BY c.eventId DESC`;

/** Completes a pruning, including one that another process began. Resolves to the number of deleted events. */
export async function finishPruning(
  call: Call,
  instanceId: string,
  executionIds: readonly number[],
): Promise<number> {
  const parameters = [{ name: "@executions", value: [...executionIds] }];
  const events = await call.query<string>(instanceId, { query: EVENTS, parameters });
  const records = executionIds.map((execution) => executionDocumentId(instanceId, execution));
  const all = [...events, ...records, pruningDocumentId(instanceId)];
  for (let start = 0; start < all.length; start += MAX_OPERATIONS) {
    await deleteDocuments(call, instanceId, all.slice(start, start + MAX_OPERATIONS));
  }
  return events.length;
}
