/** Expressions whose value is known before the query runs. */
import type { JsonValue } from "../../protocol/json.ts";
import { OPERATIONS, UNARY_OPERATIONS } from "../functions/operators.ts";
import type { Expression } from "../syntax/tree.ts";
import type { Value } from "../values/value.ts";

/** A known value; the wrapper tells undefined from "not known". */
export interface Constant {
  readonly value: Value;
}

type Parameters = ReadonlyMap<string, JsonValue>;

/** Operators that cannot fail: a division by zero must fail only where a row is really computed. */
const FOLDABLE: ReadonlySet<string> = new Set(["+", "-", "*", "||"]);

/**
 * Finds the constant that the expression is, or undefined. A parameter that was not passed is undefined (assumed).
 */
export function constantOf(expression: Expression, parameters: Parameters): Constant | undefined {
  switch (expression.kind) {
    case "literal":
      return { value: expression.value };
    case "parameter":
      return { value: parameters.get(expression.name) };
    case "unary": {
      const operand = constantOf(expression.operand, parameters);
      return operand === undefined || expression.operator === "NOT"
        ? undefined
        : { value: finite(UNARY_OPERATIONS[expression.operator](operand.value)) };
    }
    case "binary": {
      const known = FOLDABLE.has(expression.operator) && !hasDigits(expression.left, expression.right);
      const left = known ? constantOf(expression.left, parameters) : undefined;
      const right = left && constantOf(expression.right, parameters);
      return left && right && { value: finite(OPERATIONS[expression.operator](left.value, right.value)) };
    }
    case "array":
      return constantArray(expression.items, parameters);
    case "object":
      return constantObject(expression.entries, parameters);
    default:
      return undefined;
  }
}

/** Integers beyond doubles are calculated with digit by digit, where the query runs. */
function hasDigits(...sides: readonly Expression[]): boolean {
  return sides.some((side) => side.kind === "literal" && side.digits !== undefined);
}

function finite(value: Value): Value {
  return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
}

function constantArray(items: readonly Expression[], parameters: Parameters): Constant | undefined {
  const value: JsonValue[] = [];
  for (const item of items) {
    const constant = constantOf(item, parameters);
    if (constant === undefined) return undefined;
    value.push(constant.value ?? null);
  }
  return { value };
}

function constantObject(
  entries: readonly { name: string; value: Expression }[],
  parameters: Parameters,
): Constant | undefined {
  const properties = new Map<string, JsonValue>();
  for (const entry of entries) {
    const constant = constantOf(entry.value, parameters);
    if (constant === undefined) return undefined;
    if (constant.value !== undefined) properties.set(entry.name, constant.value);
  }
  return { value: Object.fromEntries(properties) };
}
