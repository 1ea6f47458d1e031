/**
 * Deletes documents of a partition while another document, the guard, is unchanged. A request may arrive late, when
 * later documents have the same ids: each batch has the guard's ETag as its condition and changes it, and the last one
 * deletes the guard.
 *
 * - delete-with-guard.G1: Several pages are of several moments, so what they list is deleted, and then read again. A
 *   partition with many receipts takes several pages each time, so they are believed after some attempts.
 * - delete-with-guard.G2: A document is deleted under the ETag of the list. The lock of an activity changes its row,
 *   and may create a session document beside it, which the list does not contain.
 */
import type { Body } from "../documents/body.ts";
import type { Work } from "../memory/parts.ts";
import { type BatchOperation, MAX_OPERATIONS } from "../service/batch.ts";
import type { AllPages } from "../service/pages.ts";

export interface Guard {
  readonly id: string;
  readonly etag: string;
  /** Written by each batch but the last, for another ETag. */
  readonly values: Body;
}

/** The most documents that one batch deletes, with the guard. */
export const MOST_AT_ONCE: number = MAX_OPERATIONS - 1;

export interface Deleted<T> {
  readonly documents: readonly T[];
  /**
   * Whether all documents and the guard are deleted. False if the guard or one of the documents has changed or is gone,
   * or there may be others: the caller reads again. `unknown` if an earlier attempt without an answer may have deleted the
   * guard.
   */
  readonly isDone: boolean | "unknown";
}

/** Fields that the queries select at least. */
export interface Listable {
  readonly id: string;
  readonly _etag: string;
}

/** How often several pages are read again. */
const MOST_SPLIT_LISTS = 3;

/** Whether there are no other documents (delete-with-guard.G1). `attempt` counts from 1. */
export function isWhole({ isOnePage }: AllPages<unknown>, attempt: number): boolean {
  return isOnePage || attempt > MOST_SPLIT_LISTS;
}

export async function deleteWithGuard<T extends Listable>(
  work: Work,
  instanceId: string,
  { id, etag, values }: Guard,
  documents: readonly T[],
  areAll: boolean,
): Promise<Deleted<T>> {
  let ifMatch = etag;
  for (let start = 0; ; start += MOST_AT_ONCE) {
    const some = documents.slice(start, start + MOST_AT_ONCE);
    if (some.length === 0 && !areAll) return { documents, isDone: false };
    const isLast = areAll && start + MOST_AT_ONCE >= documents.length;
    const guard: BatchOperation = isLast
      ? { kind: "delete", id, ifMatch }
      : { kind: "set", id, values, ifMatch };
    const deletions = some.map((each): BatchOperation => {
      return { kind: "delete", id: each.id, ifMatch: each._etag };
    });
    const outcome = await work.batch(instanceId, [guard, ...deletions]);
    if (!outcome.ok) {
      const isUnknown = isLast && outcome.repeated && outcome.index === 0;
      return { documents: documents.slice(0, start), isDone: isUnknown ? "unknown" : false };
    }
    if (isLast) return { documents, isDone: true };
    ifMatch = outcome.etags[0] ?? "";
  }
}
