/**
 * Settles what an instance has sent and what has not arrived yet. Its deletion removes the intents, so this comes
 * first. The instance is marked, so it sends nothing more.
 *
 * - settle-messages.M1: A message to another instance arrives: the turn that sent it is committed. One that its target
 *   refuses for good goes with its sender, as a dead letter does.
 * - settle-messages.M2: A message to a child never arrives: nothing would receive the result. Its receipt refuses a
 *   delivery that another process has under way, and what was delivered before is deleted. A start takes along what is
 *   queued for its child: the cancellation of a child may have arrived before its start.
 * - settle-messages.M3: All of it may be repeated, by another process too.
 * - settle-messages.M4: The intents are read together with the mark: without it they may be those of a later instance
 *   with the id.
 */
import { decodeWorkItem, type WorkItem } from "@duroxide-ts/core/stores";
import { deliver } from "../delivering/deliver.ts";
import { removeIntents } from "../delivering/remove-intents.ts";
import type { Stored } from "../documents/body.ts";
import { toInstance } from "../documents/instance.ts";
import { type Intent, IS_UNSENT, toIntent } from "../documents/intent.ts";
import { receiptBody } from "../documents/receipt.ts";
import { LOCKED_FOR_EVER_MS } from "../leases/finish-commit.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import { deleteUnbegun } from "./unbegun-child.ts";

const UNSENT = `SELECT * FROM c WHERE ${IS_UNSENT} OR c.type = 'instance'`;

/**
 * Resolves to the number of messages of children that are gone with it. `undefined` if the instance is not shown with the
 * mark of this deletion.
 */
export async function settleMessages(
  work: Work,
  instanceId: string,
  deletion: string,
): Promise<number | undefined> {
  const documents = await work.query<Stored>(instanceId, UNSENT);
  const instance = documents.find(({ type }) => type === "instance");
  if (instance === undefined || toInstance(work.operation, instance).notes.deletion !== deletion)
    return undefined;
  const stored = documents.filter((each) => each !== instance);
  if (stored.length === 0) return 0;
  const unsent = stored.flatMap(decoded);
  const toOthers = unsent.filter((each) => !isToChild(each)).map(({ intent }) => intent);
  const refused = new Set(await deliverAll(work, toOthers));
  let recalled = 0;
  for (const each of unsent.filter(isToChild)) recalled += await recall(work, each);
  const arrived = new Set(toOthers.filter((intent) => !refused.has(intent)).map(({ id }) => id));
  const left = stored.map(({ id }) => id).filter((id) => !arrived.has(id));
  await removeIntents(work, instanceId, left);
  return recalled;
}

interface Unsent {
  readonly intent: Intent;
  readonly item: WorkItem;
}

/** None of one that cannot be decoded: it goes with its sender. */
function decoded(stored: Stored): readonly Unsent[] {
  try {
    const intent = toIntent(stored);
    return [{ intent, item: decodeWorkItem(String(intent.payload["workItem"])) }];
  } catch {
    return [];
  }
}

/** Instances cancel only their children. */
function isToChild({ intent: { source }, item }: Unsent): boolean {
  if (item.kind === "StartOrchestration") return item.parent_instance === source;
  return item.kind === "CancelInstance";
}

/** settle-messages.M1. Resolves to those that are refused for good. */
async function deliverAll(work: Work, intents: readonly Intent[]): Promise<readonly Intent[]> {
  const refused: Intent[] = [];
  let left = intents;
  for (let attempt = 1; left.length > 0; attempt++) {
    const undelivered = await deliver(work, left);
    for (const { intent } of undelivered.filter(({ isPassing }) => !isPassing)) {
      const { source, target: instanceId } = intent;
      work.service.warn(`a message of ${source} is deleted with it, because it is refused`, { instanceId });
      refused.push(intent);
    }
    left = undelivered.filter(({ isPassing }) => isPassing).map(({ intent }) => intent);
    if (left.length > 0) await work.again(attempt);
  }
  return refused;
}

/** settle-messages.M2. Resolves to the number of messages. */
async function recall(work: Work, { intent, item }: Unsent): Promise<number> {
  const { source, target, payload } = intent;
  const rowId = String(payload["id"]);
  const receipt: BatchOperation = { kind: "create", body: receiptBody(rowId, target, source) };
  if (item.kind === "StartOrchestration") {
    // No fetch sees it before it is deleted.
    const start: BatchOperation = { kind: "create", body: { ...payload, visibleAt: LOCKED_FOR_EVER_MS } };
    await work.batch(target, [receipt, start]);
    return (await deleteUnbegun(work, target, rowId)).messagesDeleted;
  }
  const { ok } = await work.batch(target, [receipt]);
  if (ok) return 1;
  const deleted = await work.batch(target, [{ kind: "delete", id: rowId }]);
  return deleted.ok ? 1 : 0;
}
