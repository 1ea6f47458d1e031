/** Reads a queue in pieces until a page is full, or the budget of examined rows is spent. */
import type { QueuedWork } from "@duroxide-ts/core/stores";

/** A row with its position in its queue. */
export interface QueuedRow {
  readonly orderMs: number;
  /** The position behind the row. */
  readonly place: readonly number[];
  readonly work: QueuedWork;
}

/** Rows of one queue from a position on. */
export interface QueuedRows {
  readonly rows: readonly QueuedRow[];
  /** Place after all rows that were examined; `undefined` at the end of the queue. */
  readonly end: readonly number[] | undefined;
}

/** The most rows that a page examines. */
const BUDGET = 5_000;

/** A row of a piece: its position, and its entry in the list if it matches. */
export interface Examined {
  readonly place: readonly number[];
  readonly row: QueuedRow | undefined;
}

export function examine(
  limit: number,
  from: readonly number[],
  read: (place: readonly number[], size: number) => readonly Examined[],
): QueuedRows {
  const rows: QueuedRow[] = [];
  let place = from;
  for (let examined = 0, size = limit + 1; examined < BUDGET; size = Math.min(size * 2, 1_000)) {
    const piece = read(place, size);
    for (const each of piece) {
      if (rows.length === limit) return { rows, end: place };
      if (each.row !== undefined) rows.push(each.row);
      place = each.place;
    }
    if (piece.length < size) return { rows, end: undefined };
    examined += piece.length;
  }
  return { rows, end: place };
}
