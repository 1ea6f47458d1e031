/** Follows the rows of a page, so that the page can end behind any of them. */
import type { Continuation, RowContinuation } from "./continuation.ts";
import type { Row } from "./statements.ts";

export class Place {
  #place: RowContinuation;

  /** Takes the number of ORDER BY items, and the place where the page begins. */
  constructor(orderLength: number, after: Continuation | undefined) {
    const order = new Array<null>(orderLength).fill(null);
    const answered = after?.answered ?? 0;
    this.#place = after?.kind === "row" ? after : { kind: "row", seq: -1, rowsOfSeq: 0, order, answered };
  }

  /** Returns the place behind the last row that was answered. */
  get continuation(): RowContinuation {
    return this.#place;
  }

  /** Notes a row that was answered: `s` is its seq, and `k0`, `k1`, … are its order values. */
  move(row: Row): void {
    this.#goBehind(row, this.#place.answered + 1);
  }

  /** Notes a row that was left out, as OFFSET says. */
  pass(row: Row): void {
    this.#goBehind(row, this.#place.answered);
  }

  #goBehind(row: Row, answered: number): void {
    const { seq: before, rowsOfSeq, order } = this.#place;
    const seq = Number(row["s"]);
    this.#place = {
      kind: "row",
      seq,
      rowsOfSeq: seq === before ? rowsOfSeq + 1 : 1,
      order: order.map((_, at) => {
        const value = row[`k${at}`];
        return typeof value === "string" ? value : null;
      }),
      answered,
    };
  }
}
