/** Operators on values, undefined wherever an operand has the wrong type, and their names as functions of SQLite. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { BinaryOperator } from "../syntax/tree.ts";
import { compareValues, equalValues } from "../values/order.ts";
import type { Value } from "../values/value.ts";

/** Operators that can fail. SQLite would compute a deterministic call of constants before it looks at any row. */
export const FALLIBLE_OPERATORS: ReadonlySet<string> = new Set(["/", "%"]);

export type Operation = (left: Value, right: Value) => Value;

/** The computations of the binary operators. */
export const OPERATIONS: Readonly<Record<BinaryOperator, Operation>> = {
  "=": equalValues,
  "!=": (left, right) => not(equalValues(left, right)),
  "<": (left, right) => test(compareValues(left, right), (order) => order < 0),
  "<=": (left, right) => test(compareValues(left, right), (order) => order <= 0),
  ">": (left, right) => test(compareValues(left, right), (order) => order > 0),
  ">=": (left, right) => test(compareValues(left, right), (order) => order >= 0),
  "+": numeric((left, right) => left + right),
  "-": numeric((left, right) => left - right),
  "*": numeric((left, right) => left * right),
  "/": numeric((left, right) => left / divisor(right)),
  "%": numeric((left, right) => left % divisor(right)),
  // Bit operators work on 32 bits, as in JavaScript.
  "&": numeric((left, right) => left & right),
  "|": numeric((left, right) => left | right),
  "^": numeric((left, right) => left ^ right),
  "<<": numeric((left, right) => left << right),
  ">>": numeric((left, right) => left >> right),
  ">>>": numeric((left, right) => left >>> right),
  "||": (left, right) => (typeof left === "string" && typeof right === "string" ? left + right : undefined),
  "??": (left, right) => left ?? (left === null ? null : right),
};

/** `-x`, `+x` and `~x`. */
export const UNARY_OPERATIONS: Readonly<Record<"-" | "+" | "~", (operand: Value) => Value>> = {
  "-": (operand) => (typeof operand === "number" ? -operand : undefined),
  "+": (operand) => (typeof operand === "number" ? operand : undefined),
  "~": (operand) => (typeof operand === "number" ? ~operand : undefined),
};

function numeric(compute: (left: number, right: number) => number): Operation {
  return (left, right) =>
    typeof left === "number" && typeof right === "number" ? compute(left, right) : undefined;
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

function test(order: number | undefined, holds: (order: number) => boolean): boolean | undefined {
  return order === undefined ? undefined : holds(order);
}

/** Refuses a zero with 400/4001 (docs/reference/cosmos-protocol.md §2.1); that `%` is refused like `/` is assumed. */
function divisor(value: number): number {
  if (value !== 0) return value;
  const message = "Divide by zero error encountered. Exclude zero divisors in the query.";
  const errors = [{ severity: "Error", code: "4001", message }];
  throw CosmosError.badRequest(JSON.stringify({ errors }), { substatus: 4001 });
}

/** The registered functions of the binary operators that have one. */
export const OPERATOR_NAMES: Readonly<Record<Exclude<BinaryOperator, "??">, string>> = {
  "=": "cosmos_equal",
  "!=": "cosmos_not_equal",
  "<": "cosmos_less",
  "<=": "cosmos_less_or_equal",
  ">": "cosmos_greater",
  ">=": "cosmos_greater_or_equal",
  "+": "cosmos_plus",
  "-": "cosmos_minus",
  "*": "cosmos_times",
  "/": "cosmos_divided_by",
  "%": "cosmos_modulo",
  "&": "cosmos_bit_and",
  "|": "cosmos_bit_or",
  "^": "cosmos_bit_xor",
  "<<": "cosmos_shift_left",
  ">>": "cosmos_shift_right",
  ">>>": "cosmos_shift_right_unsigned",
  "||": "cosmos_join",
};

export const UNARY_NAMES = { "-": "cosmos_negated", "+": "cosmos_positive", "~": "cosmos_bit_not" } as const;

// The service adds integers as integers of 64 bits; only the texts of the operands still have all digits.
const INTEGER = /^-?\d+$/;
const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

const COMPUTATIONS: Readonly<Record<string, (left: bigint, right: bigint) => bigint>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
};

/**
 * Computes exactly, and returns the JSON text of the result, or undefined if it is for doubles to compute: because an
 * operand is no such integer, or none is too large for a double, or the result has more than 64 bits (assumed).
 */
export function exactResult(operator: string, left: unknown, right: unknown): string | undefined {
  const compute = Object.hasOwn(COMPUTATIONS, operator) ? COMPUTATIONS[operator] : undefined;
  if (compute === undefined || !isInteger(left) || !isInteger(right)) return undefined;
  if (Number.isSafeInteger(Number(left)) && Number.isSafeInteger(Number(right))) return undefined;
  const result = compute(BigInt(left), BigInt(right));
  return result >= LEAST && result <= GREATEST ? result.toString() : undefined;
}

function isInteger(text: unknown): text is string {
  return typeof text === "string" && INTEGER.test(text);
}
