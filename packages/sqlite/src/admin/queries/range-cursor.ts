/**
 * Reads the entries of one index range, in pieces that grow.
 *
 * - range-cursor.RC1: A piece begins behind the time and the key of the last entry that was read. Instances may have
 *   equal times, so the time alone would repeat entries or leave some out.
 */
import { invariant } from "@duroxide-ts/core/stores";
import type { Database, SqlValue } from "../../connection/database.ts";

/** An entry of an index of instances. */
export interface Entry {
  readonly at: number;
  readonly key: number;
  /** Whether it meets the conditions that the range does not imply. */
  readonly ok: number;
}

/** The statement of a range; its last values are the time and the key of the position, and the limit. */
export interface RangeStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const LARGEST_PIECE = 2_000;

export class RangeCursor {
  readonly #db: Database;
  readonly #statement: RangeStatement;
  #at: number;
  #key: number;
  #pieceSize: number;
  #piece: readonly Entry[] = [];
  #next = 0;
  #isEnded = false;

  constructor(db: Database, statement: RangeStatement, after: readonly [number, number], pieceSize: number) {
    this.#db = db;
    this.#statement = statement;
    [this.#at, this.#key] = after;
    this.#pieceSize = pieceSize;
  }

  /** The entry that `take` moves past. */
  first(): Entry | undefined {
    if (this.#next === this.#piece.length && !this.#isEnded) this.#read();
    return this.#piece[this.#next];
  }

  take(): void {
    this.#next++;
  }

  #read(): void {
    const { sql, values } = this.#statement;
    this.#piece = this.#db.all<Entry>(sql, ...values, this.#at, this.#key, this.#pieceSize);
    const [first] = this.#piece;
    invariant(first?.at !== this.#at || first.key !== this.#key, "range-cursor.RC1");
    this.#next = 0;
    this.#isEnded = this.#piece.length < this.#pieceSize;
    this.#pieceSize = Math.min(this.#pieceSize * 2, LARGEST_PIECE);
    const last = this.#piece.at(-1);
    // range-cursor.RC1
    if (last !== undefined) [this.#at, this.#key] = [last.at, last.key];
  }
}
