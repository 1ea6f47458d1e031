/** The expressions that an index needs so that statements of this folder can use it. */
import { parsePropertyPath } from "../../protocol/property-path.ts";
import { extractRank, extractScalar, isPlain } from "../translate/json-path.ts";
import { ELEMENT } from "./policy-path.ts";

/** One path of an index over several. */
export interface IndexedPath {
  readonly path: string;
  readonly descending?: boolean;
}

/**
 * Writes SQL of the expressions by which documents are compared and sorted at the path (`/a/b`), about the column
 * `body` of the table itself: the type's rank, then the value. Empty for paths through arrays and for names that
 * cannot stand in a path of SQLite: no index serves those. Throws CosmosError 400 for a malformed path.
 */
export function indexExpressions(path: string): readonly string[] {
  const names = parsePropertyPath(path);
  return names.every((name) => name !== ELEMENT && isPlain(name))
    ? [extractRank("body", names).text, extractScalar("body", names).text]
    : [];
}

/**
 * Writes SQL of the columns of an index over several paths, in the directions of a composite index. Empty if any of
 * the paths cannot be indexed.
 */
export function indexColumns(paths: readonly IndexedPath[]): readonly string[] {
  const columns = paths.map(({ path, descending }) =>
    indexExpressions(path).map((expression) => (descending ? `${expression} DESC` : expression)),
  );
  return columns.some((expressions) => expressions.length === 0) ? [] : columns.flat();
}
