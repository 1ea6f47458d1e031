/** Expressions as SQL that gives JSON text, or NULL for undefined. */
import { calledName } from "../functions/called-name.ts";
import { OPERATOR_NAMES, UNARY_NAMES } from "../functions/operators.ts";
import { printExpression } from "../syntax/print.ts";
import type {
  BinaryNode,
  CallNode,
  ConditionalNode,
  Expression,
  LikeNode,
  LogicalNode,
  MemberNode,
  SubqueryNode,
} from "../syntax/tree.ts";
import { writeValue } from "../values/value.ts";
import { aggregateValue, isAggregate } from "./aggregate.ts";
import { constantOf } from "./constant.ts";
import { extractJson, isPlain } from "./json-path.ts";
import { pathOf, resolveAlias } from "./path-of.ts";
import { arrayText, listText, objectText } from "./row-text.ts";
import { balanced, bind, list, raw, type Sql, sql } from "./sql-text.ts";
import type { Translator } from "./translator.ts";

/** Translates a value, for `Translator.value`. */
export function translateValue(expression: Expression, translator: Translator): Sql {
  if (expression.kind === "literal" && expression.digits !== undefined) return bind(expression.digits);
  const constant = constantOf(expression, translator.parameters);
  if (constant !== undefined) return bind(writeValue(constant.value));
  const key = translator.group?.keys.get(printExpression(expression));
  if (key !== undefined) return key;
  switch (expression.kind) {
    case "identifier":
      return raw(resolveAlias(expression, translator));
    case "member":
      return member(expression, translator);
    case "array":
      return arrayText(expression.items.map(translator.value));
    case "object":
      return objectText(
        expression.entries.map(({ name, value }) => ({ name, value: translator.value(value) })),
      );
    case "unary":
      return expression.operator === "NOT"
        ? fromTruth(sql`NOT ${truth(expression.operand, translator)}`)
        : sql`${raw(UNARY_NAMES[expression.operator])}(${translator.value(expression.operand)})`;
    case "binary":
      return binary(expression, translator);
    case "logical":
      return logical(expression, translator);
    case "in":
      return sql`cosmos_in(${translator.value(expression.value)}, ${listText(expression.items.map(translator.value))})`;
    case "between":
      return sql`cosmos_between(${list([expression.value, expression.low, expression.high].map(translator.value))})`;
    case "like":
      return like(expression, translator);
    case "conditional":
      return conditional(expression, translator);
    case "call":
      return call(expression, translator);
    case "subquery":
      return subquery(expression, translator);
    case "literal":
    case "parameter":
      // Constants, answered above.
      return raw("NULL");
  }
}

function member(expression: MemberNode, translator: Translator): Sql {
  const path = pathOf(expression, translator);
  if (path?.steps.every(isPlain)) return extractJson(path.base, path.steps);
  return sql`cosmos_member(${translator.value(expression.object)}, ${translator.value(expression.index)})`;
}

function binary(expression: BinaryNode, translator: Translator): Sql {
  const left = translator.value(expression.left);
  const right = translator.value(expression.right);
  return expression.operator === "??"
    ? sql`coalesce(${left}, ${right})`
    : sql`${raw(OPERATOR_NAMES[expression.operator])}(${left}, ${right})`;
}

/** Translates AND and OR. SQL's own three-valued logic is that of Cosmos DB, with NULL for undefined. */
function logical(expression: LogicalNode, translator: Translator): Sql {
  const operands = expression.operands.map((operand) => truth(operand, translator));
  return fromTruth(balanced(operands, expression.operator));
}

function truth(expression: Expression, translator: Translator): Sql {
  return sql`(CASE ${translator.value(expression)} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END)`;
}

function fromTruth(condition: Sql): Sql {
  return sql`(CASE ${condition} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`;
}

function like(expression: LikeNode, translator: Translator): Sql {
  const escaped = expression.escape === undefined ? raw("NULL") : bind(JSON.stringify(expression.escape));
  return sql`cosmos_like(${translator.value(expression.value)}, ${translator.value(expression.pattern)}, ${escaped})`;
}

/** Translates a ternary. Anything but true chooses the second branch. */
function conditional(expression: ConditionalNode, translator: Translator): Sql {
  const { condition, then, otherwise } = expression;
  return sql`(CASE WHEN ${translator.holds(condition)} THEN ${translator.value(then)} ELSE ${translator.value(otherwise)} END)`;
}

function call(expression: CallNode, translator: Translator): Sql {
  if (isAggregate(expression)) return aggregateValue(expression, translator);
  return sql`${raw(calledName(expression))}(${list(expression.args.map(translator.value))})`;
}

function subquery(expression: SubqueryNode, translator: Translator): Sql {
  const rows = translator.rows(expression.select);
  switch (expression.form) {
    case "exists":
      return sql`(CASE WHEN EXISTS (${rows}) THEN 'true' ELSE 'false' END)`;
    case "array":
      return sql`(SELECT '[' || coalesce(group_concat(v, ','), '') || ']' FROM (${rows}))`;
    case "scalar":
      // More than one row has no single value: undefined (assumed).
      return sql`(SELECT CASE count(*) WHEN 1 THEN min(v) END FROM (${rows}))`;
  }
}
