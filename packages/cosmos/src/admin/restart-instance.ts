/**
 * Deletes an instance that has ended, with its tree, and starts it again (docs/decisions/messages.md). The intent of
 * the deletion contains the new start until everything else is deleted, so that any process that completes the deletion
 * stores it. After the batch that stores the intent, the start cannot be lost.
 */
import { ProviderError } from "@duroxide-ts/core/stores";
import { newRow } from "../commit/new-row.ts";
import { type PlannedStart, startMarkBody, withStart } from "../commit/planned-start.ts";
import type { Body } from "../documents/body.ts";
import { startMarkDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import { namedReceiptBody, receiptBody } from "../documents/receipt.ts";
import { messageBody } from "../documents/rows.ts";
import type { DueRestart } from "../fetching/lock-instance.ts";
import { readInstance, readNamed } from "../leases/read-instance.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import { beginDeletion, finishDeletion, type NewDeletion } from "./deletion.ts";
import { treeOf } from "./instance-tree.ts";
import { targetOf } from "./is-stored.ts";

/** The same for a start that was held back. The batch that stores the intent takes it from the queue. */
export async function restartDue(work: Work, { instance, row, start }: DueRestart): Promise<void> {
  const { instanceId } = instance.document;
  const nowMs = work.clock.now();
  const again = newRow(work, instanceId, start, { nowMs });
  const receipt =
    row.messageId === undefined
      ? receiptBody(again.id, instanceId, instanceId)
      : namedReceiptBody(row.messageId, instanceId, nowMs);
  const { messageId } = row;
  const restart = { receipt, rows: [again], messageId };
  await restartInstance(work, instance, restart, [{ kind: "delete", id: row.id }]);
}

/** False if another process changed the instance or took the message meanwhile; nothing is deleted then. */
export async function restartInstance(
  work: Work,
  instance: Instance,
  { receipt, rows, messageId }: Pick<PlannedStart, "receipt" | "rows" | "messageId">,
  message: readonly BatchOperation[] = [],
): Promise<boolean> {
  const { instanceId, parentInstanceId } = instance.document;
  const parent = parentInstanceId === null ? undefined : await readNamed(work, parentInstanceId);
  if (parent !== undefined) {
    throw ProviderError.isChild(work.operation, instanceId, parent.document.instanceId);
  }
  // The mark is for a concurrent start that read the queue before the deletion and the instance after it.
  const mark = await work.read(instanceId, startMarkDocumentId(instanceId));
  const startMark = startMarkBody(instanceId, work.clock.now(), withStart(mark, messageId));
  const restart: readonly Body[] = [receipt, ...rows.map(messageBody), startMark];
  const tree = await Promise.all(
    (await treeOf(work, instanceId)).map((id) => (id === instanceId ? instance : readInstance(work, id))),
  );
  const targets = tree.filter((each) => each !== undefined).map(targetOf);
  const plan: NewDeletion = { key: work.service.random.uuid(), root: instanceId, targets, restart };
  const deletion = await beginDeletion(work, plan, instance, message);
  if (deletion === undefined) return false;
  await finishDeletion(work, deletion);
  return true;
}
