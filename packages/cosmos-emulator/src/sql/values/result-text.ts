/**
 * Numbers in results of queries: integers of 64 bits as they are, everything larger and every fraction as a
 * double. Documents that are read one by one differ: they keep integers up to 2^64, and their exponents have
 * three digits (docs/reference/cosmos-protocol.md §1.5).
 */
import { writeNumber } from "./value.ts";

/** Whether there can be anything to change: most rows hold no such number. */
const SUSPICIOUS = /\d{19}|[eE][-+]?\d{3}/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Writes the JSON text of a row as a query answers it. */
export function resultText(row: string): string {
  return SUSPICIOUS.test(row)
    ? row.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : numberText(token)))
    : row;
}

function numberText(literal: string): string {
  const integer = /^-?\d+$/.test(literal) ? BigInt(literal) : undefined;
  if (integer !== undefined && BigInt.asIntN(64, integer) === integer) return literal;
  return writeNumber(Number(literal)).replace(/e([-+])0(\d\d)$/, "e$1$2");
}
