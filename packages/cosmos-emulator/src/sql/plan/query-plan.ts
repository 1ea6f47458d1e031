/** The plan of a query, as the service answers it (docs/reference/cosmos-protocol.md §1.8). */

export type QueryPlan = {
  readonly partitionedQueryExecutionInfoVersion: 2;
  readonly queryInfo: QueryInfo;
  readonly queryRanges: readonly QueryRange[];
  readonly hybridSearchQueryInfo: null;
};

export type QueryInfo = {
  /** Ordered: equal rows are neighbours in the order of the query. */
  readonly distinctType: "None" | "Ordered" | "Unordered";
  readonly top: number | null;
  readonly offset: number | null;
  readonly limit: number | null;
  readonly orderBy: readonly ("Ascending" | "Descending")[];
  readonly orderByExpressions: readonly string[];
  readonly groupByExpressions: readonly string[];
  readonly groupByAliases: readonly string[];
  /** The aggregate of SELECT VALUE. */
  readonly aggregates: readonly AggregateType[];
  readonly groupByAliasToAggregateType: { readonly [alias: string]: AggregateType | null };
  /** Text of the query for each partition; empty if it is the query itself. */
  readonly rewrittenQuery: string;
  readonly hasSelectValue: boolean;
  readonly dCountInfo: null;
  readonly hasNonStreamingOrderBy: false;
};

export type AggregateType = "Count" | "Sum" | "Min" | "Max" | "Average";

/** Range of effective partition keys. */
export type QueryRange = {
  readonly min: string;
  readonly max: string;
  readonly isMinInclusive: boolean;
  readonly isMaxInclusive: boolean;
};
