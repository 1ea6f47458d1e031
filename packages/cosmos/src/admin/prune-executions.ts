/**
 * Removes old executions (docs/reference/provider-contract.md §16; hazards W49, W50). An intent names them first, so
 * that a pruning that was begun is finished; each execution loses its events, then its record.
 */
import {
  ProviderError,
  type PruneOptions,
  type PruneResult,
  saturatedNumber,
} from "@duroxide-ts/core/stores";
import { type Body, MAX_OPERATIONS } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { executionDocumentId, pruningDocumentId } from "../schema/ids.ts";
import { isNamed } from "../schema/instance.ts";
import { readInstance } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";
import { executionsOf } from "./executions.ts";
import { ADMIN_PATIENCE_MS } from "./named-instances.ts";
import { deleteDocuments } from "./wipe-partition.ts";

export async function pruneExecutions(
  store: Store,
  operation: string,
  instanceId: string,
  { keepLast = 1, completedBeforeMs = Number.POSITIVE_INFINITY }: PruneOptions,
): Promise<PruneResult> {
  const call = store.requests.call(operation, ADMIN_PATIENCE_MS);
  const instance = await readInstance(store, call, instanceId);
  if (instance === undefined || !isNamed(instance)) throw ProviderError.notFound(operation, instanceId);
  const executions = await executionsOf(store, call, instance);
  const current = saturatedNumber(instance.document.currentExecutionId);
  const old = executions.slice(0, Math.max(0, executions.length - Math.max(1, keepLast)));
  const pruned = old.filter(
    ({ executionId, status, completedAtMs = Number.POSITIVE_INFINITY }) =>
      executionId !== current && status !== "Running" && completedAtMs < completedBeforeMs,
  );
  if (pruned.length === 0) return { instancesProcessed: 1, executionsDeleted: 0, eventsDeleted: 0 };
  const executionIds = pruned.map(({ executionId }) => executionId);
  const id = pruningDocumentId(instanceId);
  const body: Body = { id, instanceId, type: "prune_intent", executionIds, createdAt: store.clock.now() };
  await store.requests.batch(call, instanceId, [{ kind: "upsert", body }]);
  const eventsDeleted = await finishPruning(store, call, instanceId, executionIds);
  return { instancesProcessed: 1, executionsDeleted: pruned.length, eventsDeleted };
}

const EVENTS = `SELECT VALUE c.id FROM c WHERE c.type = 'history'
  AND ARRAY_CONTAINS(@executions, c.executionId) ORDER BY c.eventId DESC`;

/** Also for one that another process began. Resolves to the number of events. */
export async function finishPruning(
  store: Store,
  call: Call,
  instanceId: string,
  executionIds: readonly number[],
): Promise<number> {
  const parameters = [{ name: "@executions", value: [...executionIds] }];
  const events = await store.requests.query<string>(call, instanceId, { query: EVENTS, parameters });
  const records = executionIds.map((execution) => executionDocumentId(instanceId, execution));
  const all = [...events, ...records, pruningDocumentId(instanceId)];
  for (let start = 0; start < all.length; start += MAX_OPERATIONS) {
    await deleteDocuments(store, call, instanceId, all.slice(start, start + MAX_OPERATIONS));
  }
  return events.length;
}
