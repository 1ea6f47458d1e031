/**
 * Expressions as conditions of SQL: `translateCondition(e, true)` is true exactly where e is true, and with
 * `false` exactly where e is false. What an index can serve becomes plain SQL, everything else compares the
 * computed value.
 */
import { queryError } from "../syntax/query-error.ts";
import type {
  BetweenNode,
  BinaryNode,
  CallNode,
  ComparisonOperator,
  Expression,
  InNode,
  LogicalNode,
} from "../syntax/tree.ts";
import { constantOf } from "./constant.ts";
import { mergeEqualities } from "./merge-equalities.ts";
import { compareToConstant, MIRRORED, NEVER, oneOfConstants, rankOf, startsWith } from "./path-condition.ts";
import { pathOf } from "./path-of.ts";
import { balanced, raw, type Sql, sql } from "./sql-text.ts";
import type { Translator } from "./translator.ts";

/** Translates a condition, for `Translator.holds` and `Translator.fails`. */
export function translateCondition(expression: Expression, truth: boolean, translator: Translator): Sql {
  // In a grouped query there are no paths any more.
  const plain = translator.group === undefined ? plainCondition(expression, truth, translator) : undefined;
  return plain ?? computed(expression, truth, translator);
}

/** Translates a condition without calls of registered functions, if there is one. */
function plainCondition(expression: Expression, truth: boolean, translator: Translator): Sql | undefined {
  switch (expression.kind) {
    case "literal":
    case "parameter":
      return constantOf(expression, translator.parameters)?.value === truth ? raw("1") : NEVER;
    case "identifier":
    case "member":
      return booleanPath(expression, truth, translator);
    case "unary":
      return expression.operator === "NOT"
        ? translateCondition(expression.operand, !truth, translator)
        : NEVER;
    case "logical":
      return logical(expression, truth, translator);
    case "binary":
      return comparison(expression, truth, translator);
    case "in":
      return inList(expression, truth, translator);
    case "between":
      return between(expression, truth, translator);
    case "call":
      return call(expression, truth, translator);
    case "subquery":
      return expression.form === "exists" ? exists(expression.select, truth, translator) : undefined;
    default:
      return undefined;
  }
}

function computed(expression: Expression, truth: boolean, translator: Translator): Sql {
  return sql`(${translator.value(expression)} = ${raw(truth ? "'true'" : "'false'")})`;
}

function booleanPath(expression: Expression, truth: boolean, translator: Translator): Sql | undefined {
  const path = pathOf(expression, translator);
  return path && compareToConstant(path, "=", truth, true);
}

/** Largest number of conditions in a row, which is that of the values of a statement (run/statements.ts). */
const MAX_CHAIN_LENGTH = 2000;

/** Translates AND and OR. AND is false where one operand is false. */
function logical(expression: LogicalNode, truth: boolean, translator: Translator): Sql {
  const merged = mergeEqualities(expression, translator.parameters);
  if (merged.length > MAX_CHAIN_LENGTH) {
    const message = `More than ${MAX_CHAIN_LENGTH} different conditions in a row. Use IN or ARRAY_CONTAINS with a list.`;
    throw queryError("SC3001", message, expression);
  }
  const operands = merged.map((operand) => translateCondition(operand, truth, translator));
  return balanced(operands, (expression.operator === "AND") === truth ? "AND" : "OR");
}

const COMPARISONS: ReadonlySet<string> = new Set(["=", "!=", "<", "<=", ">", ">="]);

function comparison(expression: BinaryNode, truth: boolean, translator: Translator): Sql | undefined {
  const operator = expression.operator as ComparisonOperator;
  if (!COMPARISONS.has(operator)) return undefined;
  return (
    compareSides(expression.left, operator, expression.right, truth, translator) ??
    compareSides(expression.right, MIRRORED[operator], expression.left, truth, translator)
  );
}

function compareSides(
  side: Expression,
  operator: ComparisonOperator,
  other: Expression,
  truth: boolean,
  translator: Translator,
): Sql | undefined {
  const constant = constantOf(other, translator.parameters);
  const path = constant && pathOf(side, translator);
  return path && compareToConstant(path, operator, constant?.value, truth);
}

function inList(expression: InNode, truth: boolean, translator: Translator): Sql | undefined {
  const path = pathOf(expression.value, translator);
  const constants = expression.items.map((item) => constantOf(item, translator.parameters));
  if (path === undefined || constants.includes(undefined)) return undefined;
  const oneOf = oneOfConstants(
    path,
    constants.map((constant) => constant?.value),
  );
  const rank = rankOf(path);
  return truth ? oneOf : oneOf && rank && sql`(${rank} IS NOT NULL AND NOT ${oneOf})`;
}

function between(expression: BetweenNode, truth: boolean, translator: Translator): Sql | undefined {
  const low = compareSides(expression.value, ">=", expression.low, truth, translator);
  const high = compareSides(expression.value, "<=", expression.high, truth, translator);
  return low && high && balanced([low, high], truth ? "AND" : "OR");
}

/** Type checks by the condition on the rank that they stand for; all are false for undefined. */
const RANK_CHECKS: ReadonlyMap<string, string> = new Map([
  ["IS_DEFINED", "IS NOT NULL"],
  ["IS_NULL", "= 1"],
  ["IS_BOOL", "IN (2, 3)"],
  ["IS_NUMBER", "= 4"],
  ["IS_STRING", "= 5"],
  ["IS_ARRAY", "= 6"],
  ["IS_OBJECT", "= 7"],
  ["IS_PRIMITIVE", "<= 5"],
]);

function call(expression: CallNode, truth: boolean, translator: Translator): Sql | undefined {
  const [subject, argument, flag] = expression.args;
  const path = subject && pathOf(subject, translator);
  if (path === undefined) return undefined;
  const name = expression.name.toUpperCase();
  const check = expression.args.length === 1 ? RANK_CHECKS.get(name) : undefined;
  const rank = rankOf(path);
  if (check !== undefined && rank !== undefined) return rankCheck(rank, check, truth);
  const prefix = argument && constantOf(argument, translator.parameters)?.value;
  if (name === "STARTSWITH" && typeof prefix === "string" && flag === undefined) {
    return startsWith(path, prefix, truth);
  }
  return undefined;
}

function rankCheck(rank: Sql, check: string, truth: boolean): Sql {
  if (check === "IS NOT NULL") return truth ? sql`${rank} IS NOT NULL` : sql`${rank} IS NULL`;
  const holds = sql`${rank} ${raw(check)}`;
  return truth ? holds : sql`(${holds}) IS NOT 1`;
}

function exists(select: Parameters<Translator["rows"]>[0], truth: boolean, translator: Translator): Sql {
  const rows = sql`EXISTS (${translator.rows(select)})`;
  return truth ? rows : sql`NOT ${rows}`;
}
