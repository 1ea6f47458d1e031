/**
 * Continuations: JSON text that says where the next page begins. The place is a row (its order values and its
 * seq), so that documents written between two pages neither repeat nor hide others. Results that are no
 * documents, such as groups, are counted instead.
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { Query } from "../syntax/tree.ts";
import { markOf } from "./query-mark.ts";

export type Continuation = RowContinuation | CountContinuation;

export interface RowContinuation {
  readonly kind: "row";
  readonly seq: number;
  /** Number of rows of this document that were answered or left out: with joins it has several. */
  readonly rowsOfSeq: number;
  /** JSON text of the ORDER BY values of that row; null for undefined. */
  readonly order: readonly (string | null)[];
  /** Number of rows of all pages until here. */
  readonly answered: number;
}

export interface CountContinuation {
  readonly kind: "count";
  readonly answered: number;
}

/** Clients may ask for no more than 1 KB (docs/reference/cosmos-protocol.md §1.8). */
const MAX_BYTES = 1024;

/** Writes a continuation. A row whose order values are too long is counted instead. */
export function writeContinuation(query: Query, continuation: Continuation): string {
  const { kind, ...place } = continuation;
  const text = JSON.stringify({ [kind === "row" ? "after" : "skip"]: place, query: markOf(query) });
  return Buffer.byteLength(text) <= MAX_BYTES
    ? text
    : writeContinuation(query, { kind: "count", answered: continuation.answered });
}

/** Reads a continuation. Throws CosmosError 400 if the text is malformed or belongs to another query. */
export function readContinuation(text: string, query: Query): Continuation {
  const parsed = parseObject(text);
  if (parsed?.["query"] !== markOf(query)) throw invalidContinuation();
  const continuation = rowOf(parsed["after"], query.select.orderBy.length) ?? countOf(parsed["skip"]);
  if (continuation === undefined) throw invalidContinuation();
  return continuation;
}

export function invalidContinuation(): CosmosError {
  return CosmosError.badRequest(
    "Invalid continuation token: it is malformed or belongs to another query. Send the continuation of the " +
      "page before, with the same query.",
  );
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: string): Fields | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}

function rowOf(value: unknown, orderLength: number): RowContinuation | undefined {
  const { seq, rowsOfSeq, order, answered } = asObject(value) ?? {};
  const valid = isCount(seq) && isCount(rowsOfSeq) && isCount(answered);
  return valid && Array.isArray(order) && order.length === orderLength && order.every(isOrderValue)
    ? { kind: "row", seq, rowsOfSeq, order, answered }
    : undefined;
}

function countOf(value: unknown): CountContinuation | undefined {
  const { answered } = asObject(value) ?? {};
  return isCount(answered) ? { kind: "count", answered } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Tells whether a value is null, or a string that holds JSON: SQLite parses it, and fails on anything else. */
function isOrderValue(value: unknown): value is string | null {
  if (typeof value !== "string") return value === null;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
