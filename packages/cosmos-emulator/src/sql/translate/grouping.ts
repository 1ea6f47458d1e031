/** The queries that aggregate, and the check that what they select is settled for a whole group. */
import { childrenOf } from "../syntax/children.ts";
import { printExpression } from "../syntax/print.ts";
import { queryError } from "../syntax/query-error.ts";
import type { Expression, Select } from "../syntax/tree.ts";
import { isAggregate } from "./aggregate.ts";

/** Lists the expressions of a projection. */
export function projected(select: Select): readonly Expression[] {
  const { projection } = select;
  switch (projection.kind) {
    case "star":
      return [];
    case "value":
      return [projection.expression];
    case "list":
      return projection.items.map((item) => item.expression);
  }
}

/** Tells whether the projection calls an aggregate, those of its subqueries not counted. */
export function hasAggregates(select: Select): boolean {
  return projected(select).some(containsAggregate);
}

export function containsAggregate(expression: Expression): boolean {
  return isAggregate(expression) || childrenOf(expression).some(containsAggregate);
}

/** Tells whether one row stands for many documents. */
export function isGrouped(select: Select): boolean {
  return select.groupBy.length > 0 || hasAggregates(select);
}

/**
 * Throws CosmosError 400 for a property that is neither grouped by nor inside an aggregate, and for ORDER BY
 * beside them, which the service does not have.
 */
export function checkGrouping(select: Select): void {
  if (!isGrouped(select)) return;
  const [item] = select.orderBy;
  if (item !== undefined) {
    const message = "ORDER BY cannot stand together with GROUP BY or an aggregate.";
    throw queryError("SC2100", message, item.expression);
  }
  if (select.projection.kind === "star") {
    throw queryError("SC2100", "'SELECT *' cannot stand with GROUP BY.", select.projection.span);
  }
  const keys = new Set(select.groupBy.map(printExpression));
  for (const expression of projected(select)) checkSettled(expression, keys);
}

function checkSettled(expression: Expression, keys: ReadonlySet<string>): void {
  if (isAggregate(expression) || keys.has(printExpression(expression))) return;
  if (expression.kind === "identifier" || expression.kind === "member") {
    const message =
      `Property reference '${printExpression(expression)}' is invalid in the select list because it is not ` +
      "contained in either an aggregate function or the GROUP BY clause.";
    throw queryError("SC2100", message, expression);
  }
  if (expression.kind === "subquery") {
    throw queryError("SC2100", "A subquery cannot stand beside GROUP BY or an aggregate.", expression);
  }
  for (const child of childrenOf(expression)) checkSettled(child, keys);
}
