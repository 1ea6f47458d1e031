/**
 * Deletes an instance that has ended, with its tree, and starts it again (docs/decisions/messages.md). The intent of
 * the deletion contains the new start until everything else is deleted, so that any process that completes the deletion
 * stores it. After the batch that stores the intent, the start cannot be lost.
 */
import { ProviderError } from "@duroxide-ts/core";
import { type PlannedStart, startMarkBody } from "../commit/planned-start.ts";
import type { Body } from "../documents/body.ts";
import type { Instance } from "../documents/instance.ts";
import { messageBody } from "../documents/rows.ts";
import { readInstance, readNamed } from "../leases/read-instance.ts";
import type { Work } from "../memory/parts.ts";
import { beginDeletion, finishDeletion, type NewDeletion } from "./deletion.ts";
import { treeOf } from "./instance-tree.ts";
import { targetOf } from "./is-stored.ts";

/** False if another process changed the instance meanwhile; nothing is deleted then. */
export async function restartInstance(
  work: Work,
  instance: Instance,
  { receipt, rows }: PlannedStart,
): Promise<boolean> {
  const { instanceId, parentInstanceId } = instance.document;
  const parent = parentInstanceId === null ? undefined : await readNamed(work, parentInstanceId);
  if (parent !== undefined) {
    throw ProviderError.isChild(work.operation, instanceId, parent.document.instanceId);
  }
  // The mark is for a concurrent start that read the queue before the deletion and the instance after it.
  const startMark = startMarkBody(instanceId, work.clock.now());
  const restart: readonly Body[] = [receipt, ...rows.map(messageBody), startMark];
  const tree = await Promise.all(
    (await treeOf(work, instanceId)).map((id) => (id === instanceId ? instance : readInstance(work, id))),
  );
  const targets = tree.filter((each) => each !== undefined).map(targetOf);
  const plan: NewDeletion = { key: work.service.random.uuid(), root: instanceId, targets, restart };
  const deletion = await beginDeletion(work, plan, instance);
  if (deletion === undefined) return false;
  await finishDeletion(work, deletion);
  return true;
}
