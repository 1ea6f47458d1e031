/** Expressions as SQL that gives JSON text, or NULL for undefined. */
import { calledName } from "../functions/called-name.ts";
import { OPERATOR_NAMES, UNARY_NAMES } from "../functions/operators.ts";
import { printExpression } from "../syntax/print.ts";
import type { BinaryNode, CallNode, Expression, LikeNode, LogicalNode, MemberNode } from "../syntax/tree.ts";
import { writeValue } from "../values/value.ts";
import { aggregateValue, isAggregate } from "./aggregate.ts";
import { constantOf } from "./constant.ts";
import { extractJson, isPlain } from "./json-path.ts";
import { BODY, type Names } from "./names.ts";
import { checkName, pathOf } from "./path-of.ts";
import { arrayText, listText, objectText } from "./row-text.ts";
import { balanced, bind, list, raw, type Sql, sql } from "./sql-text.ts";

/** Translates a value. */
export function translateValue(expression: Expression, names: Names): Sql {
  if (expression.kind === "literal" && expression.digits !== undefined) return bind(expression.digits);
  const constant = constantOf(expression, names.parameters);
  if (constant !== undefined) return bind(writeValue(constant.value));
  const key = names.group?.keys.get(printExpression(expression));
  if (key !== undefined) return key;
  switch (expression.kind) {
    case "identifier":
      checkName(expression, names);
      return raw(BODY);
    case "member":
      return member(expression, names);
    case "array":
      return arrayText(translateValues(expression.items, names));
    case "object":
      return objectText(
        expression.entries.map(({ name, value }) => ({ name, value: translateValue(value, names) })),
      );
    case "unary":
      return expression.operator === "NOT"
        ? fromTruth(sql`NOT ${truth(expression.operand, names)}`)
        : sql`${raw(UNARY_NAMES[expression.operator])}(${translateValue(expression.operand, names)})`;
    case "binary":
      return binary(expression, names);
    case "logical":
      return logical(expression, names);
    case "in":
      return sql`cosmos_in(${translateValue(expression.value, names)}, ${listText(translateValues(expression.items, names))})`;
    case "between":
      return sql`cosmos_between(${list(translateValues([expression.value, expression.low, expression.high], names))})`;
    case "like":
      return like(expression, names);
    case "call":
      return call(expression, names);
    case "literal":
    case "parameter":
      // Constants, answered above.
      return raw("NULL");
  }
}

function translateValues(expressions: readonly Expression[], names: Names): readonly Sql[] {
  return expressions.map((expression) => translateValue(expression, names));
}

function member(expression: MemberNode, names: Names): Sql {
  const path = pathOf(expression, names);
  if (path?.every(isPlain)) return extractJson(path);
  return sql`cosmos_member(${translateValue(expression.object, names)}, ${translateValue(expression.index, names)})`;
}

function binary(expression: BinaryNode, names: Names): Sql {
  const sides = list(translateValues([expression.left, expression.right], names));
  return sql`${raw(OPERATOR_NAMES[expression.operator])}(${sides})`;
}

/** Translates AND and OR. SQL's own three-valued logic is that of Cosmos DB, with NULL for undefined. */
function logical(expression: LogicalNode, names: Names): Sql {
  const operands = expression.operands.map((operand) => truth(operand, names));
  return fromTruth(balanced(operands, expression.operator));
}

function truth(expression: Expression, names: Names): Sql {
  return sql`(CASE ${translateValue(expression, names)} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END)`;
}

function fromTruth(condition: Sql): Sql {
  return sql`(CASE ${condition} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`;
}

function like(expression: LikeNode, names: Names): Sql {
  const escaped = expression.escape === undefined ? raw("NULL") : bind(JSON.stringify(expression.escape));
  return sql`cosmos_like(${translateValue(expression.value, names)}, ${translateValue(expression.pattern, names)}, ${escaped})`;
}

function call(expression: CallNode, names: Names): Sql {
  if (isAggregate(expression)) return aggregateValue(expression, names, translateValue);
  return sql`${raw(calledName(expression))}(${list(translateValues(expression.args, names))})`;
}
