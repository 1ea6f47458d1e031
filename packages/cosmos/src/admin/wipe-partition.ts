/** Removes all documents of a marked instance, the instance document last. */
import type { DeleteResult } from "@duroxide-ts/core";
import { saturatedNumber } from "@duroxide-ts/core/stores";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import { type BatchOperation, MAX_OPERATIONS } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import { hasBegun } from "./executions.ts";

/**
 * Receipts stay until they expire, because a late second delivery must not reach a new instance. The message ids of
 * senders are deleted with the instance.
 */
const OWNED = `SELECT c.id, c.type, c.executionId FROM c
  WHERE c.type != 'instance' AND c.type != 'delete_intent' AND (c.type != 'receipt' OR IS_DEFINED(c.messageId))`;

interface Owned {
  readonly id: string;
  readonly type: string;
  readonly executionId?: number | null;
}

export async function wipePartition(call: Call, instance: Instance): Promise<DeleteResult> {
  const { instanceId } = instance.document;
  const owned = await call.query<Owned>(instanceId, { query: OWNED });
  const deleted = new Set<string>();
  for (let start = 0; start < owned.length; start += MAX_OPERATIONS) {
    const ids = owned.slice(start, start + MAX_OPERATIONS).map(({ id }) => id);
    for (const id of await deleteDocuments(call, instanceId, ids)) deleted.add(id);
  }
  const own = await deleteDocuments(call, instanceId, [instanceDocumentId(instanceId)]);
  const count = (type: string): number =>
    owned.filter((each) => each.type === type && deleted.has(each.id)).length;
  const isLast = own.length > 0;
  const executions = new Set(
    owned
      .filter(({ type }) => type === "history" || type === "execution")
      .map(({ executionId }) => executionId),
  );
  if (hasBegun(instance)) executions.add(saturatedNumber(instance.document.currentExecutionId));
  // If two processes delete the same instance, the one that deletes its document counts it.
  return {
    instancesDeleted: isLast ? 1 : 0,
    executionsDeleted: isLast ? executions.size : 0,
    eventsDeleted: count("history"),
    queueMessagesDeleted: count("orch_queue") + count("worker_queue"),
  };
}

/** Deletes in one batch, without documents that are gone already. Resolves to the documents that this call deleted. */
export async function deleteDocuments(
  call: Call,
  instanceId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  let left = ids;
  while (left.length > 0) {
    const operations = left.map((id): BatchOperation => ({ kind: "delete", id }));
    const outcome = await call.batch(instanceId, operations);
    // After a lost response, missing documents are those that this call has deleted.
    if (outcome.ok || outcome.repeated) return left;
    left = left.filter((_, index) => index !== outcome.index);
  }
  return [];
}
