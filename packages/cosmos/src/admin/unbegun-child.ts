/**
 * Deletes the start of a child whose parent is deleted, with what was sent to the child: a later child with the id would
 * receive it, for example the cancellation of this one. The start is the guard (delete-with-guard.ts).
 *
 * - unbegun-child.U1: Only the start is deleted if the child exists, or if another start is queued: the rest may belong
 *   to another life.
 * - unbegun-child.U2: A fence comes before the queue is read, because other processes have written the messages.
 */
import { hasKind } from "../documents/work-item-kind.ts";
import type { Work } from "../memory/parts.ts";
import { deleteWithGuard, isWhole, type Listable } from "./delete-with-guard.ts";

const IS_START = hasKind("StartOrchestration");

/** Also what earlier fetches noted about it, in a document without a name, and the ids of its messages. */
const OF_CHILD = `SELECT c.id, c._etag, c.type, c.orchestrationName, ${IS_START} AS isStart FROM c
  WHERE c.type IN ('orch_queue', 'instance') OR (c.type = 'receipt' AND IS_DEFINED(c.messageId))`;

interface OfChild extends Listable {
  readonly type: string;
  readonly orchestrationName?: string;
  readonly isStart?: boolean;
}

export interface Unbegun {
  readonly messagesDeleted: number;
  /** A turn took the start first. */
  readonly hasBegun: boolean;
}

export async function deleteUnbegun(work: Work, childId: string, startId: string): Promise<Unbegun> {
  let messagesDeleted = 0;
  await work.fence(childId);
  for (let attempt = 1; ; attempt++) {
    const listed = await work.queryInPages<OfChild>(childId, OF_CHILD);
    const start = listed.results.find(({ id }) => id === startId);
    if (start === undefined) return { messagesDeleted, hasBegun: true };
    const guard = { id: startId, etag: start._etag, values: { type: start.type } };
    const others = listed.results.filter((each) => each !== start);
    const owned = others.some(isOfAnotherLife) ? [] : others;
    const areAll = isWhole(listed, attempt);
    const { documents, isDone } = await deleteWithGuard(work, childId, guard, owned, areAll);
    messagesDeleted += documents.filter(({ type }) => type === "orch_queue").length;
    if (isDone !== false) return { messagesDeleted: messagesDeleted + 1, hasBegun: false };
    await work.again(attempt);
  }
}

/** (unbegun-child.U1) */
function isOfAnotherLife({ type, orchestrationName = "", isStart }: OfChild): boolean {
  return isStart === true || (type === "instance" && orchestrationName !== "");
}
