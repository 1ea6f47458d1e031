import type { Expression } from "./tree.ts";

/** Lists the expressions directly inside another one. Subqueries are queries of their own and have none. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "parameter":
    case "identifier":
    case "subquery":
      return [];
    case "member":
      return [expression.object, expression.index];
    case "array":
      return expression.items;
    case "object":
      return expression.entries.map((entry) => entry.value);
    case "unary":
      return [expression.operand];
    case "binary":
      return [expression.left, expression.right];
    case "logical":
      return expression.operands;
    case "in":
      return [expression.value, ...expression.items];
    case "between":
      return [expression.value, expression.low, expression.high];
    case "like":
      return [expression.value, expression.pattern];
    case "conditional":
      return [expression.condition, expression.then, expression.otherwise];
    case "call":
      return expression.args;
  }
}
