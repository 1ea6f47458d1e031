/**
 * Removes an instance with all its documents: in one batch if they fit, otherwise in several, while the instance is
 * marked.
 *
 * Clients find no instance while it is marked, so it may be started again. The intent is created with the mark, and the
 * service numbers documents in the order of their creation: a start after the intent stays, and with it what came from
 * outside. What activities and children of the deleted instance send is removed, because the next instance has not begun.
 */
import type { DeleteResult } from "@duroxide-ts/core";
import { NOTHING_DELETED, saturatedNumber, sumOfDeletions } from "@duroxide-ts/core/stores";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import { isUnsent } from "../documents/intent.ts";
import { compareRids } from "../documents/rid.ts";
import { hasKind } from "../documents/work-item-kind.ts";
import { LOCKED_FOR_EVER_MS } from "../leases/finish-commit.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import type { Work } from "../memory/parts.ts";
import type { AllPages } from "../service/pages.ts";
import { deleteWithGuard, type Guard, isWhole, MOST_AT_ONCE } from "./delete-with-guard.ts";
import { hasBegun } from "./executions.ts";
import { settleMessages } from "./settle-messages.ts";

const IS_START = hasKind("StartOrchestration");
const IS_FROM_OUTSIDE = [
  IS_START,
  ...(["ExternalRaised", "QueueMessage", "CancelInstance"] as const).map(hasKind),
];

/** A start that waits for further ones is no part of the instance. Quotes inside a payload are escaped. */
const IS_HELD = `${IS_START} AND c.visibleAt > @now AND CONTAINS(c.workItem, '"debounced_since_ms":')`;

/**
 * Receipts stay until they expire, because a late second delivery must not reach a new instance. The message ids of
 * senders are deleted with the instance.
 */
const OWNED = `SELECT c.id, c.type, c.executionId, c._rid, c._etag, c.root, c.status, ${IS_START} AS isStart,
  CONTAINS(c.eventData, '"type":"SubOrchestrationScheduled"') AS startsChild,
  (${IS_FROM_OUTSIDE.join(" OR ")}) AS isFromOutside, (${IS_HELD}) AS isHeld FROM c
  WHERE c.type != 'receipt' OR IS_DEFINED(c.messageId)`;

interface Owned {
  readonly id: string;
  readonly type: string;
  readonly executionId?: number | null;
  readonly _rid: string;
  readonly _etag: string;
  /** Partition of the list, in an intent that belongs to a deletion of several partitions. */
  readonly root?: string;
  readonly status?: string;
  readonly isStart?: boolean;
  /** An event that begins a child. Quotes inside a payload are escaped, so the pattern matches only types. */
  readonly startsChild?: boolean;
  readonly isFromOutside?: boolean;
  readonly isHeld?: boolean;
}

/**
 * `changed`: it has changed since it was read. `several`: one batch may not delete everything. It
 * is too large, its messages have not arrived yet, or, unless a list says so already, it may have children.
 */
export async function deleteAtOnce(
  work: Work,
  instance: Instance,
  { isListed }: { readonly isListed: boolean },
): Promise<DeleteResult | "changed" | "several"> {
  const { instanceId, createdAt } = instance.document;
  const guard = guardOf(instance);
  const { results, isOnePage } = await documentsIn(work, instanceId, guard);
  const owned = results.filter(({ type }) => type !== "delete_intent");
  if (!isOnePage || owned.length > MOST_AT_ONCE || owned.some(isUnsent)) return "several";
  if (!isListed && owned.some(({ startsChild }) => startsChild === true)) return "several";
  const { isDone } = await deleteWithGuard(work, instanceId, guard, owned, true);
  if (isDone === false) return "changed";
  const found = isDone === "unknown" ? await storedInstance(work, instanceId) : undefined;
  return found?.document.createdAt === createdAt ? "changed" : resultOf(instance, owned, true);
}

export interface Wiped {
  readonly result: DeleteResult;
  /** Its queue has a start that came after the intent. */
  readonly isStartedAgain: boolean;
}

/** If several processes do this, the one that deletes the instance document counts the instance. */
export async function wipePartition(work: Work, instance: Instance): Promise<Wiped> {
  const { instanceId } = instance.document;
  const deleted: Owned[] = [];
  let settled = 0;
  let marked = instance;
  for (let attempt = 1; ; attempt++) {
    const guard = guardOf(marked);
    const listed = await documentsIn(work, instanceId, guard);
    if (listed.results.some(isUnsent)) {
      settled += (await settleMessages(work, instanceId, instance.notes.deletion ?? "")) ?? 0;
      await work.again(attempt);
      continue;
    }
    const { owned, isStartedAgain } = withoutNext(listed.results);
    const areAll = isWhole(listed, attempt);
    const { documents, isDone } = await deleteWithGuard(work, instanceId, guard, owned, areAll);
    deleted.push(...documents);
    const found = isDone === true ? undefined : await storedInstance(work, instanceId);
    if (found?.notes.deletion === undefined) {
      const ofPartition = resultOf(instance, deleted, isDone !== false);
      return { result: sumOfDeletions(ofPartition, deletedMessages(settled)), isStartedAgain };
    }
    marked = found;
    await work.again(attempt);
  }
}

/** Returns what the partition owns, without the guard. */
async function documentsIn(work: Work, instanceId: string, { id }: Guard): Promise<AllPages<Owned>> {
  const { results, isOnePage } = await work.queryInPages<Owned>(instanceId, OWNED, {
    "@now": work.clock.now(),
  });
  return { results: results.filter((each) => each.id !== id && each.isHeld !== true), isOnePage };
}

/** The documents of a marked instance, without those of an instance that is started again. */
function withoutNext(documents: readonly Owned[]): {
  readonly owned: readonly Owned[];
  readonly isStartedAgain: boolean;
} {
  const intent = documents.find(({ type }) => type === "delete_intent");
  const isLater = ({ _rid }: Owned): boolean => compareRids(_rid, intent?._rid) > 0;
  const isStartedAgain = documents.some((each) => each.isStart === true && isLater(each));
  const isOfNext = (each: Owned): boolean =>
    isStartedAgain && isLater(each) && (each.isFromOutside === true || each.type === "receipt");
  const owned = documents.filter((each) => each !== intent && !isOfNext(each));
  // It is needed until the end. The intent with the list is deleted after all partitions.
  return { owned: intent?.root === undefined ? owned : [...owned, intent], isStartedAgain };
}

function resultOf(instance: Instance, deleted: readonly Owned[], isLast: boolean): DeleteResult {
  const count = (type: string): number => deleted.filter((each) => each.type === type).length;
  const executions = new Set(
    deleted
      .filter(({ type }) => type === "history" || type === "execution")
      .map(({ executionId }) => executionId),
  );
  if (hasBegun(instance)) executions.add(saturatedNumber(instance.document.currentExecutionId));
  return {
    instancesDeleted: isLast ? 1 : 0,
    executionsDeleted: isLast ? executions.size : 0,
    eventsDeleted: count("history"),
    queueMessagesDeleted: count("orch_queue") + count("worker_queue"),
  };
}

export function deletedMessages(queueMessagesDeleted: number): DeleteResult {
  return { ...NOTHING_DELETED, queueMessagesDeleted };
}

function guardOf({ document: { instanceId }, etag }: Instance): Guard {
  return { id: instanceDocumentId(instanceId), etag, values: { lockedUntil: LOCKED_FOR_EVER_MS } };
}
