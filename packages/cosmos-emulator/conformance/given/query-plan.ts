/** Plans of queries, as an SDK asks for them. */
import { type Fields, fieldsOf } from "../client/reply.ts";
import { expectEqual, expectStatus } from "../expect.ts";
import type { Target } from "../target.ts";
import { thirty } from "./seed.ts";

const FEATURES =
  "NonValueAggregate,Aggregate,Distinct,MultipleOrderBy,OffsetAndLimit,OrderBy,Top,CompositeAggregate,GroupBy,MultipleAggregates,DCount,NonStreamingOrderBy,CountIf,ListAndSetAggregate";

const PLAN_REQUEST = {
  "x-ms-cosmos-is-query-plan-request": "True",
  "x-ms-cosmos-query-version": "1.4",
  "x-ms-cosmos-supported-query-features": FEATURES,
};

/** The plan of a query of the thirty items. */
export async function planOf(target: Target, query: string, parameters?: readonly Fields[]): Promise<Fields> {
  const items = await thirty(target);
  const options = { headers: PLAN_REQUEST, ...(parameters !== undefined && { parameters }) };
  const plan = expectStatus(await items.query(query, options), 200).fields;
  expectEqual(plan["partitionedQueryExecutionInfoVersion"], 2, "the version of the plan");
  return plan;
}

/** The part of a plan that is about the query. */
export const infoOf = async (...args: Parameters<typeof planOf>): Promise<Fields> =>
  fieldsOf((await planOf(...args))["queryInfo"]);
