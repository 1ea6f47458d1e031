/** Plans of queries over several partitions: what each partition is asked, and how clients merge the answers. */
import type { JsonValue } from "../../protocol/json.ts";
import type { PartitionKeyComponent, PartitionKeyDefinition } from "../../protocol/partition-key.ts";
import { printExpression, printSelect } from "../syntax/print.ts";
import { queryError } from "../syntax/query-error.ts";
import type { Query, Select } from "../syntax/tree.ts";
import { translateCounts } from "../translate/counts.ts";
import { checkGrouping, hasAggregates, isGrouped, projected } from "../translate/grouping.ts";
import type { QueryInfo, QueryPlan } from "./query-plan.ts";
import { queryRanges } from "./query-ranges.ts";
import { type AggregateRewrite, rewriteAggregates } from "./rewrite-aggregates.ts";
import { rewriteOrderBy } from "./rewrite-order-by.ts";

/** Makes a plan, which answers a request for it and goes with 400/1004. Throws CosmosError 400. */
export function planQuery(
  query: Query,
  parameters: ReadonlyMap<string, JsonValue>,
  partitionKey: PartitionKeyDefinition,
  epkOf: (components: readonly PartitionKeyComponent[]) => string,
): QueryPlan {
  checkGrouping(query.select);
  checkSource(query.select);
  return {
    partitionedQueryExecutionInfoVersion: 2,
    queryInfo: queryInfo(query, parameters),
    queryRanges: queryRanges(query, parameters, partitionKey, epkOf),
    hybridSearchQueryInfo: null,
  };
}

function queryInfo(query: Query, parameters: ReadonlyMap<string, JsonValue>): QueryInfo {
  const { select } = query;
  const { skip, take } = translateCounts(select, parameters);
  const aggregates = isGrouped(select) ? rewriteAggregates(select) : undefined;
  return {
    distinctType: distinctType(select),
    top: select.top === undefined ? null : (take ?? null),
    offset: select.page === undefined ? null : skip,
    limit: select.page === undefined ? null : (take ?? null),
    orderBy: select.orderBy.map(({ descending }) => (descending ? "Descending" : "Ascending")),
    orderByExpressions: select.orderBy.map(({ expression }) => printExpression(expression)),
    groupByExpressions: select.groupBy.map(printExpression),
    groupByAliases: aggregates?.aliases ?? [],
    aggregates: aggregates?.aggregates ?? [],
    groupByAliasToAggregateType: aggregates?.aliasTypes ?? {},
    rewrittenQuery: rewrittenQuery(select, skip, take, aggregates),
    hasSelectValue: select.projection.kind === "value",
    dCountInfo: null,
    hasNonStreamingOrderBy: false,
  };
}

function rewrittenQuery(
  select: Select,
  skip: number,
  take: number | undefined,
  aggregates: AggregateRewrite | undefined,
): string {
  if (aggregates !== undefined) return aggregates.query;
  const needed = take === undefined ? undefined : skip + take;
  if (select.orderBy.length > 0) {
    // Rows that are equal across partitions are dropped later, so that no partition may stop early.
    const bound = select.distinct || needed === undefined ? {} : { [select.page ? "limit" : "top"]: needed };
    return rewriteOrderBy(select, bound);
  }
  if (select.page !== undefined && needed !== undefined) {
    const place = { start: select.start, end: select.end };
    const page = {
      offset: { kind: "count", value: 0, ...place },
      limit: { kind: "count", value: needed, ...place },
    } as const;
    return printSelect({ ...select, page });
  }
  return "";
}

/**
 * Finds the type of DISTINCT. Equal rows are neighbours if the rows are made of the first values that they are sorted
 * by.
 */
function distinctType(select: Select): QueryInfo["distinctType"] {
  if (!select.distinct) return "None";
  const rows = new Set(projected(select).map(printExpression));
  const first = select.orderBy.slice(0, rows.size).map(({ expression }) => printExpression(expression));
  const ordered = rows.size > 0 && first.length === rows.size && first.every((item) => rows.has(item));
  return ordered ? "Ordered" : "Unordered";
}

/**
 * Checks a subquery as the source, which can be asked of each partition only if it looks at one document at a time.
 */
function checkSource(select: Select): void {
  const of = select.from?.source.of;
  if (of?.kind !== "select") return;
  const inner = of.select;
  const merges = inner.distinct || inner.top || inner.page || inner.orderBy.length > 0 || isGrouped(inner);
  if (merges) {
    const message =
      "A subquery in FROM that merges documents is not supported across partitions by this endpoint.";
    throw queryError("SC2100", message, of);
  }
  checkSource(inner);
}

/**
 * Returns the reason why the service's gateway does not answer a query without a partition key or range, even if
 * there is a single range: "1004" is the sub-status of the answer that carries the plan; grouped rows are refused for
 * good.
 */
export function needsPlan(query: Query): "1004" | "value-aggregates-only" | undefined {
  const { select } = query;
  const aggregates = hasAggregates(select);
  if (select.groupBy.length > 0 || (aggregates && select.projection.kind !== "value")) {
    return "value-aggregates-only";
  }
  const merged =
    aggregates ||
    select.distinct ||
    select.orderBy.length > 0 ||
    select.top !== undefined ||
    select.page !== undefined;
  return merged ? "1004" : undefined;
}
