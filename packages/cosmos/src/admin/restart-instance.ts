/**
 * Deletes an instance that has ended, with its tree, and starts it anew (docs/decisions/0025). The new start is kept
 * in the intent of the deletion until everything else is gone, so that whoever finishes the deletion stores it: from
 * the batch that writes the intent on it cannot be lost.
 */
import { ProviderError } from "@duroxide-ts/core/stores";
import { type PlannedStart, startMarkBody } from "../operations/planned-start.ts";
import type { BatchOperation, Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { deletionDocumentId } from "../schema/ids.ts";
import type { Instance } from "../schema/instance.ts";
import { messageBody } from "../schema/rows.ts";
import { readNamed } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";
import { finishDeletion, intentBody, markOperation } from "./delete-instances.ts";
import { treeOf } from "./instance-tree.ts";

/** False where somebody else changed the instance meanwhile: nothing was done. */
export async function restartInstance(
  store: Store,
  call: Call,
  instance: Instance,
  { receipt, rows }: PlannedStart,
): Promise<boolean> {
  const { instanceId, parentInstanceId } = instance.document;
  const parent = parentInstanceId === null ? undefined : await readNamed(store, call, parentInstanceId);
  if (parent !== undefined) {
    throw ProviderError.isChild(call.operation, instanceId, parent.document.instanceId);
  }
  // The mark is for a start that looked into the queue before the deletion and for the instance after it.
  const startMark = startMarkBody(instanceId, store.clock.now());
  const restart: readonly Body[] = [receipt, ...rows.map(messageBody), startMark];
  const instanceIds = await treeOf(store, call, instanceId);
  const deletion = { key: store.random.uuid(), partition: instanceId, instanceIds, restart };
  const operations: readonly BatchOperation[] = [
    { kind: "create", body: intentBody(deletion, store.clock.now()) },
    markOperation(instance, deletion.key),
  ];
  const outcome = await store.requests.batch(call, instanceId, operations);
  if (!outcome.ok && !(outcome.repeated && (await isOurs(store, call, deletion)))) return false;
  await finishDeletion(store, call, deletion);
  return true;
}

/** After a lost answer: whether an earlier attempt has written the intent. */
async function isOurs(
  store: Store,
  call: Call,
  { partition, key }: { readonly partition: string; readonly key: string },
): Promise<boolean> {
  const intent = await store.requests.read(call, partition, deletionDocumentId(partition));
  return intent?.["key"] === key;
}
