/**
 * Removes old executions (docs/reference/provider-contract.md §16; hazards W49, W50). An intent names them first, so
 * that an interrupted pruning is completed. Each batch has the intent's ETag as its condition, because the instance may
 * be deleted and started again meanwhile. The events of an execution are deleted before its record.
 */
import { ProviderError, type PruneOptions, type PruneResult } from "@duroxide-ts/core";
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Body, Stored } from "../documents/body.ts";
import { pruningDocumentId } from "../documents/ids.ts";
import { isNamed } from "../documents/instance.ts";
import { readInstance } from "../leases/read-instance.ts";
import { ADMIN_PATIENCE_MS } from "../memory/waits.ts";
import type { Call, Service } from "../service/service.ts";
import { deleteWithGuard, isWhole, listWithGuard } from "./delete-with-guard.ts";
import { certainly, executionsOf } from "./executions.ts";

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
  const intent = await begin(call, instanceId, executionIds);
  const eventsDeleted = await finishPruning(call, intent);
  return { instancesProcessed: 1, executionsDeleted: pruned.length, eventsDeleted };
}

/** Stores an intent, after completing an older pruning. */
async function begin(call: Call, instanceId: string, executionIds: readonly number[]): Promise<Stored> {
  const id = pruningDocumentId(instanceId);
  const key = call.service.random.uuid();
  const createdAt = call.service.clock.now();
  const body: Body = { id, instanceId, type: "prune_intent", key, executionIds, createdAt };
  for (let attempt = 1; ; attempt++) {
    const outcome = await call.batch(instanceId, [{ kind: "create", body }]);
    if (outcome.ok) return { ...body, id, _etag: outcome.etags[0] ?? "" };
    const found = await call.read(instanceId, id);
    // After a lost answer it is the one of this call.
    if (found?.["key"] === key) return found;
    if (found !== undefined) await finishPruning(call, found);
    await call.again(attempt);
  }
}

const PRUNED = `SELECT c.id, c.type, c.eventId, c._etag FROM c
  WHERE c.type = 'prune_intent'
  OR (c.type IN ('history', 'execution') AND ARRAY_CONTAINS(@executions, c.executionId))`;

interface Pruned {
  readonly id: string;
  readonly type: string;
  readonly _etag: string;
  /** Of an event. */
  readonly eventId?: number;
}

/** Completes a pruning, including one that another process began. Resolves to the number of events that it deleted. */
export async function finishPruning(call: Call, intent: Stored): Promise<number> {
  const { id, instanceId, key, executionIds } = intent;
  const partition = String(instanceId);
  const query = { query: PRUNED, parameters: [{ name: "@executions", value: executionIds as number[] }] };
  let eventsDeleted = 0;
  let current: Stored = intent;
  for (let attempt = 1; ; attempt++) {
    // The values are those that it has.
    const guard = { id, etag: current._etag, values: { key } };
    const listed = await listWithGuard<Pruned>(call, partition, guard, query);
    const documents = listed.documents.toSorted(recordsLast);
    const areAll = isWhole(listed, attempt);
    const { documents: deleted, isDone } = await deleteWithGuard(call, partition, guard, documents, areAll);
    eventsDeleted += deleted.filter(({ type }) => type === "history").length;
    if (isDone === true) return eventsDeleted;
    const found = await call.read(partition, id);
    if (found === undefined || found["key"] !== key) return eventsDeleted;
    current = found;
    await call.again(attempt);
  }
}

/** The first event of an execution shows that it exists, and comes after the others; then its record. */
function recordsLast(a: Pruned, b: Pruned): number {
  return (b.eventId ?? 0) - (a.eventId ?? 0);
}
