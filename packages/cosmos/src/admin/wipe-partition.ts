/** Removes all documents of an instance that is marked, its own document last. */
import type { DeleteResult } from "@duroxide-ts/core";
import { type BatchOperation, MAX_OPERATIONS } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import type { Instance } from "../schema/instance.ts";
import { without } from "../staging/finish-commit.ts";
import type { Store } from "../store/store.ts";
import { currentExecution } from "./executions.ts";

/** Receipts stay until they expire: a message that is delivered late again must not reach a new instance. */
const OWNED = `SELECT c.id, c.type, c.executionId FROM c
  WHERE c.type != 'instance' AND c.type != 'delete_intent' AND c.type != 'receipt'`;

interface Owned {
  readonly id: string;
  readonly type: string;
  readonly executionId?: number | null;
}

export async function wipePartition(store: Store, call: Call, instance: Instance): Promise<DeleteResult> {
  const { instanceId } = instance.document;
  const owned = await store.requests.query<Owned>(call, instanceId, { query: OWNED });
  for (let start = 0; start < owned.length; start += MAX_OPERATIONS) {
    const ids = owned.slice(start, start + MAX_OPERATIONS).map(({ id }) => id);
    await deleteDocuments(store, call, instanceId, ids);
  }
  await deleteDocuments(store, call, instanceId, [instanceDocumentId(instanceId)]);
  const count = (type: string): number => owned.filter((each) => each.type === type).length;
  const executions = new Set(
    owned
      .filter(({ type }) => type === "history" || type === "execution")
      .map(({ executionId }) => executionId),
  );
  const current = currentExecution(instance);
  if (current !== undefined) executions.add(current.executionId);
  return {
    instancesDeleted: 1,
    executionsDeleted: executions.size,
    eventsDeleted: count("history"),
    queueMessagesDeleted: count("orch_queue") + count("worker_queue"),
  };
}

/** In one batch; what is gone already is left out. */
export async function deleteDocuments(
  store: Store,
  call: Call,
  instanceId: string,
  ids: readonly string[],
): Promise<void> {
  let operations: readonly BatchOperation[] = ids.map((id) => ({ kind: "delete", id }));
  while (operations.length > 0) {
    const outcome = await store.requests.batch(call, instanceId, operations);
    if (outcome.ok) return;
    operations = without(operations, outcome.index);
  }
}
