/**
 * Aggregates over several partitions: each partition answers its part in the form that clients add up.
 */
import { printExpression, printFrom } from "../syntax/print.ts";
import { queryError } from "../syntax/query-error.ts";
import type { CallNode, Expression, Select } from "../syntax/tree.ts";
import { type AggregateName, aggregateName } from "../translate/aggregate.ts";
import { containsAggregate } from "../translate/grouping.ts";
import { namedItems } from "../translate/projection.ts";
import type { AggregateType } from "./query-plan.ts";

const TYPES: Readonly<Record<AggregateName, AggregateType>> = {
  COUNT: "Count",
  SUM: "Sum",
  AVG: "Average",
  MIN: "Min",
  MAX: "Max",
};

export interface AggregateRewrite {
  readonly query: string;
  readonly aggregates: readonly AggregateType[];
  readonly aliases: readonly string[];
  readonly aliasTypes: { readonly [alias: string]: AggregateType | null };
}

/** Rewrites a query with GROUP BY or aggregates. TOP, OFFSET and LIMIT are left to the client. */
export function rewriteAggregates(select: Select): AggregateRewrite {
  const { projection } = select;
  if (projection.kind === "value") {
    const aggregate = aggregateOf(projection.expression);
    const row = aggregate ? `[${parts(aggregate)}]` : printExpression(projection.expression);
    const query =
      select.groupBy.length > 0
        ? statement(select, `${groupItems(select)}, ${row} AS payload`)
        : statement(select, `VALUE ${row}`);
    return { query, aggregates: aggregate ? [typeOf(aggregate)] : [], aliases: [], aliasTypes: {} };
  }
  const items = projection.kind === "list" ? namedItems(projection.items) : [];
  const entries = items.map(({ name, expression }) => ({
    name,
    expression,
    aggregate: aggregateOf(expression),
  }));
  const payload = entries
    .map(({ name, expression, aggregate }) => {
      return `${JSON.stringify(name)}: ${aggregate ? parts(aggregate) : printExpression(expression)}`;
    })
    .join(", ");
  const columns = [...(select.groupBy.length > 0 ? [groupItems(select)] : []), `{${payload}} AS payload`];
  return {
    query: statement(select, columns.join(", ")),
    aggregates: [],
    aliases: entries.map(({ name }) => name),
    aliasTypes: Object.fromEntries(
      entries.map(({ name, aggregate }) => [name, aggregate ? typeOf(aggregate) : null]),
    ),
  };
}

/** Finds the aggregate that the expression is. One inside a larger expression cannot be added up by clients. */
function aggregateOf(expression: Expression): CallNode | undefined {
  if (expression.kind === "call" && aggregateName(expression) !== undefined) return expression;
  if (containsAggregate(expression)) {
    const message = "Compositions of aggregates and other expressions are not allowed across partitions.";
    throw queryError("SC2100", message, expression);
  }
  return undefined;
}

function typeOf(call: CallNode): AggregateType {
  const name = aggregateName(call);
  if (name === undefined) throw queryError("SC2005", `'${call.name}' is not an aggregate.`, call);
  return TYPES[name];
}

/** Writes the contribution of one partition: MIN, MAX and AVG need the number of values as well. */
function parts(call: CallNode): string {
  const argument = call.args.map(printExpression).join(", ");
  const count = `"count": COUNT(${argument})`;
  switch (aggregateName(call)) {
    case "AVG":
      return `{"item": {"sum": SUM(${argument}), ${count}}}`;
    case "MIN":
      return `{"item": MIN(${argument}), "item2": {"min": MIN(${argument}), ${count}}}`;
    case "MAX":
      return `{"item": MAX(${argument}), "item2": {"max": MAX(${argument}), ${count}}}`;
    default:
      return `{"item": ${printExpression(call)}}`;
  }
}

function groupItems(select: Select): string {
  return `[${select.groupBy.map((key) => `{"item": ${printExpression(key)}}`).join(", ")}] AS groupByItems`;
}

function statement(select: Select, projection: string): string {
  return [
    `SELECT ${projection}`,
    ...(select.from ? [`FROM ${printFrom(select.from)}`] : []),
    ...(select.where ? [`WHERE ${printExpression(select.where)}`] : []),
    ...(select.groupBy.length > 0 ? [`GROUP BY ${select.groupBy.map(printExpression).join(", ")}`] : []),
  ].join("\n");
}
