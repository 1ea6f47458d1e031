/** Cosmos SQL: from text to tree, and from tree to SQLite. The entry of this folder. */

// Running it
export { registerFunctions } from "./functions/register.ts";
// What a query reads
export { indexColumns, indexExpressions } from "./paths/index-expressions.ts";
export { pathsOf, type QueryPaths } from "./paths/paths-of.ts";
// Queries over several partitions
export { needsPlan } from "./plan/needs-plan.ts";
export { planQuery } from "./plan/plan-query.ts";
export { queryRanges } from "./plan/query-ranges.ts";
export { compilePredicate, type DocumentTest } from "./run/predicate.ts";
export { runQuery } from "./run/run-query.ts";
export type { QueryOptions, QueryPage, Scope } from "./run/scope.ts";
// The text
export { parseQuery } from "./syntax/parser.ts";
export type { Query } from "./tree.ts";
