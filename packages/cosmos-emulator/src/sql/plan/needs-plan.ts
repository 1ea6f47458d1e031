import type { Query } from "../syntax/tree.ts";
import { hasAggregates } from "../translate/grouping.ts";

/**
 * Why the service's gateway does not answer a query without a partition key or range, even if there is a single
 * range: "1004" is the sub-status of the answer that carries the plan; grouped rows are refused for good.
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
