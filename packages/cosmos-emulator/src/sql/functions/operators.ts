/** Operators on values: undefined wherever an operand has the wrong type. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { BinaryOperator } from "../syntax/tree.ts";
import { compareValues, equalValues } from "../values/order.ts";
import type { Value } from "../values/value.ts";

/** Operators that can fail. SQLite would compute a deterministic call of constants before it looks at any row. */
export const FALLIBLE_OPERATORS: ReadonlySet<string> = new Set(["/", "%"]);

export type Operation = (left: Value, right: Value) => Value;

/** What a binary operator computes. */
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
