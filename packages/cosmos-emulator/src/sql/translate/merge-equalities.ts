/**
 * `a = 1 OR a = 2` as `a IN (1, 2)`, and `a != 1 AND a != 2` as `NOT a IN (1, 2)`: generated queries chain
 * thousands of these, and a list is one search where a chain is a condition for each.
 */
import type { JsonValue } from "../../protocol/json.ts";
import { printExpression } from "../syntax/print.ts";
import type { Expression, LogicalNode } from "../syntax/tree.ts";
import { constantOf } from "./constant.ts";

type Parameters = ReadonlyMap<string, JsonValue>;

/** A value and a constant that it is compared with. */
interface Equality {
  readonly value: Expression;
  readonly constant: Expression;
}

/** Returns the operands, with comparisons of the same value put together. */
export function mergeEqualities(chain: LogicalNode, parameters: Parameters): readonly Expression[] {
  const operator = chain.operator === "OR" ? "=" : "!=";
  const merged: Expression[] = [];
  const groups = new Map<string, { value: Expression; constants: Expression[] }>();
  for (const operand of chain.operands) {
    const equality = equalityOf(operand, operator, parameters);
    if (equality === undefined) {
      merged.push(operand);
      continue;
    }
    const name = printExpression(equality.value);
    const group = groups.get(name) ?? { value: equality.value, constants: [] };
    group.constants.push(equality.constant);
    groups.set(name, group);
  }
  for (const { value, constants } of groups.values()) {
    const place = { start: value.start, end: value.end };
    const list = { kind: "in", value, items: constants, ...place } as const;
    merged.push(operator === "=" ? list : { kind: "unary", operator: "NOT", operand: list, ...place });
  }
  return merged;
}

/** Finds an equality. Undefined for a comparison with undefined as well: it is undefined, where IN would be false. */
function equalityOf(operand: Expression, operator: "=" | "!=", parameters: Parameters): Equality | undefined {
  if (operand.kind !== "binary" || operand.operator !== operator) return undefined;
  for (const [value, constant] of [
    [operand.left, operand.right],
    [operand.right, operand.left],
  ] as const) {
    const known = constantOf(constant, parameters)?.value !== undefined;
    if (known && (value.kind === "member" || value.kind === "identifier")) return { value, constant };
  }
  return undefined;
}
