/**
 * The order of rows (docs/decisions/messages.md).
 *
 * 1. By the enqueue time; messages of an instance first by their order time.
 * 2. Within one millisecond the rows of one process are in the order of their sequence numbers, because these follow
 *    the order within a commit, and of the calls of a process.
 * 3. Within one millisecond the rows of several processes, and those of Rust, are in the order of their creation, which
 *    the service's numbers of the documents follow.
 *
 * If 2 and 3 contradict each other, rule 3 gives the positions of a process's rows, and rule 2 their order in them.
 */
import { compareRids } from "./rid.ts";

/** The sequence of a row that a TypeScript process wrote. Rust ignores it, and removes it when it writes the row. */
export interface Sequence {
  /** The process, or one of its providers. */
  readonly writer: string;
  /** Incremented for each row of the writer. */
  readonly number: number;
}

/** The fields that decide the position in a queue. */
export interface Queued {
  readonly enqueuedAtMs: number;
  readonly sequence?: Sequence;
  /** The service's number of the document, if it was read; replacing the document does not change it. */
  readonly rid?: string;
}

/** Oldest first; rows of unknown order keep the given order. */
export function sortQueue<Row extends Queued>(rows: readonly Row[]): Row[] {
  return sortBy(rows, ({ enqueuedAtMs }) => enqueuedAtMs);
}

/** Sorts by order time (docs/reference/provider-contract.md §4.1); rows of one order time are in queue order. */
export function sortMessages<Row extends Queued & { readonly orderMs: number }>(rows: readonly Row[]): Row[] {
  return sortBy(rows, ({ orderMs }) => orderMs);
}

/** Negative if `a` comes first, 0 if the order is unknown. */
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
