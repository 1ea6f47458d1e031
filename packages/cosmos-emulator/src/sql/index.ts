/** Cosmos SQL: from text to tree, and from tree to SQLite. The entry of this folder. */

// What a query reads
export { indexColumns, indexExpressions } from "./paths/index-expressions.ts";
export { pathsOf, type QueryPaths } from "./paths/paths-of.ts";
// Queries over several partitions
export { needsPlan, planQuery } from "./plan/plan-query.ts";
export type { QueryPlan } from "./plan/query-plan.ts";
export { queryRanges } from "./plan/query-ranges.ts";
export { compilePredicate, type DocumentTest } from "./run/predicate.ts";
export { runQuery } from "./run/run-query.ts";
export type { QueryOptions, QueryPage, Scope } from "./run/scope.ts";
export { Statements } from "./run/statements.ts";
// The text
export { parseQuery } from "./syntax/parser.ts";
export type { Query } from "./syntax/tree.ts";
