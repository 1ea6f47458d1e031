/**
 * The order of rows (docs/decisions/0020-cosmos-order-and-blocked-work.md).
 *
 * 1. By the time of the enqueue; messages of an instance by their order time before that.
 * 2. Within one millisecond the rows of one process are in the order of their sequence numbers, whatever the service
 *    says: these are the order of a commit, and of the calls of a process.
 * 3. Within one millisecond the rows of several processes, and those of Rust, are in the order of their creation, which
 *    the service's numbers of the documents follow.
 *
 * Where 2 and 3 contradict each other, the rows of a process share out the places that they have by 3.
 */
import { compareRids } from "./rid.ts";

/** Of a row that a process of ours wrote. Rust ignores it, and drops it when it writes the row. */
export interface Sequence {
  /** The process, or one of its providers. */
  readonly writer: string;
  /** Grows with each row that it writes. */
  readonly number: number;
}

/** What decides about the place in a queue. */
export interface Queued {
  readonly enqueuedAtMs: number;
  readonly sequence?: Sequence;
  /** The service's own number of the document, where it was read; it stays when the document is replaced. */
  readonly rid?: string;
}

/** Oldest first; rows whose order is not known stay in the order in which they are given. */
export function sortQueue<Row extends Queued>(rows: readonly Row[]): Row[] {
  return sortBy(rows, ({ enqueuedAtMs }) => enqueuedAtMs);
}

/** By order time (docs/reference/provider-contract.md §4.1); rows of one order time are in queue order. */
export function sortMessages<Row extends Queued & { readonly orderMs: number }>(rows: readonly Row[]): Row[] {
  return sortBy(rows, ({ orderMs }) => orderMs);
}

/** Negative where `a` comes first, 0 where that is not known. */
export function compareQueued(a: Queued, b: Queued): number {
  const isOfOne = a.sequence !== undefined && a.sequence.writer === b.sequence?.writer;
  return a.enqueuedAtMs - b.enqueuedAtMs || (isOfOne ? numberOf(a) - numberOf(b) : compareRids(a.rid, b.rid));
}

function sortBy<Row extends Queued>(rows: readonly Row[], orderOf: (row: Row) => number): Row[] {
  const sorted = rows.toSorted(
    (a, b) => orderOf(a) - orderOf(b) || a.enqueuedAtMs - b.enqueuedAtMs || compareRids(a.rid, b.rid),
  );
  const places = Map.groupBy(sorted.keys(), (index) => {
    const row = sorted[index];
    return row && JSON.stringify([orderOf(row), row.enqueuedAtMs, row.sequence?.writer ?? index]);
  });
  for (const indexes of places.values()) {
    const own = indexes.flatMap((index) => sorted[index] ?? []).sort((a, b) => numberOf(a) - numberOf(b));
    for (const [nth, row] of own.entries()) sorted[indexes[nth] ?? 0] = row;
  }
  return sorted;
}

function numberOf({ sequence }: Queued): number {
  return sequence?.number ?? 0;
}
