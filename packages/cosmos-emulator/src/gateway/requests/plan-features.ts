/**
 * The features that a client needs to run a query by its plan (docs/reference/cosmos-protocol.md §1.8). A client says
 * which features it knows; a plan that needs another one would be run wrongly, so it is refused.
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { QueryPlan } from "../../sql/index.ts";
import { HEADER, textHeader } from "../headers/headers.ts";
import type { GatewayRequest } from "./request.ts";

/** Throws 400 where the plan needs what the request does not name. */
export function checkPlanFeatures({ headers }: GatewayRequest, plan: QueryPlan): void {
  const known = (textHeader(headers, HEADER.planFeatures) ?? "").split(",").map((name) => name.trim());
  const unknown = neededFeatures(plan).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw CosmosError.badRequest(
    `Query contains 1 or more unsupported features: ${unknown.join(", ")}. Name in ${HEADER.planFeatures} what the client can do, or query one partition.`,
  );
}

function neededFeatures({ queryInfo }: QueryPlan): readonly string[] {
  const aliased = Object.values(queryInfo.groupByAliasToAggregateType).some((type) => type !== null);
  const features: readonly (readonly [name: string, isNeeded: boolean])[] = [
    ["Aggregate", queryInfo.aggregates.length > 0],
    ["NonValueAggregate", aliased],
    ["Distinct", queryInfo.distinctType !== "None"],
    ["GroupBy", queryInfo.groupByExpressions.length > 0],
    ["OffsetAndLimit", queryInfo.offset !== null],
    ["OrderBy", queryInfo.orderBy.length === 1],
    ["MultipleOrderBy", queryInfo.orderBy.length > 1],
    ["Top", queryInfo.top !== null],
  ];
  return features.filter(([, isNeeded]) => isNeeded).map(([name]) => name);
}
