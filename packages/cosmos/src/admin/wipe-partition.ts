/** Removes all documents of a marked instance, the instance document last. */
import type { DeleteResult } from "@duroxide-ts/core";
import { saturatedNumber } from "@duroxide-ts/core/stores";
import { NOTES_FIELD, toBody } from "../documents/body.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import { storedInstance } from "../leases/stored-instance.ts";
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
  const { deleted, isLast } = await deleteMarked(
    call,
    instance,
    owned.map(({ id }) => id),
  );
  const count = (type: string): number =>
    owned.filter((each) => each.type === type && deleted.has(each.id)).length;
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

interface Deleted {
  /** The documents that this call has deleted. */
  readonly deleted: ReadonlySet<string>;
  /** Whether this call has deleted the instance document. */
  readonly isLast: boolean;
}

/**
 * Deletes the documents and, in the last batch, the instance. Each batch has the ETag of the marked instance as its
 * condition: a later instance with the id has documents with the same ids, and a request may arrive late.
 */
async function deleteMarked(call: Call, instance: Instance, ids: readonly string[]): Promise<Deleted> {
  const { instanceId } = instance.document;
  const deleted = new Set<string>();
  let marked = instance;
  let left = ids;
  for (let attempt = 1; ; ) {
    const some = left.slice(0, MAX_OPERATIONS - 1);
    const isLast = some.length === left.length;
    const guard = isLast ? deletionOf(marked) : rewritten(marked);
    const outcome = await call.batch(instanceId, [
      guard,
      ...some.map((id): BatchOperation => ({ kind: "delete", id })),
    ]);
    if (outcome.ok || (isLast && outcome.repeated && outcome.index === 0)) {
      for (const id of some) deleted.add(id);
    }
    if (outcome.ok && isLast) return { deleted, isLast };
    if (outcome.ok) {
      left = left.slice(some.length);
      marked = { ...marked, etag: outcome.etags[0] ?? "" };
    } else if (outcome.index > 0) {
      const gone = some[outcome.index - 1];
      left = left.filter((id) => id !== gone);
    } else {
      const found = await storedInstance(call, instanceId);
      // Another process has completed the deletion, or this one without getting the answer.
      if (found?.notes.deletion === undefined) return { deleted, isLast: isLast && outcome.repeated };
      marked = found;
      await call.again(attempt++);
    }
  }
}

function deletionOf({ document, etag }: Instance): BatchOperation {
  return { kind: "delete", id: instanceDocumentId(document.instanceId), ifMatch: etag };
}

/** The same document under another ETag. */
function rewritten({ document, notes, etag }: Instance): BatchOperation {
  const body = { ...toBody(document), [NOTES_FIELD]: notes };
  return { kind: "replace", id: instanceDocumentId(document.instanceId), body, ifMatch: etag };
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
