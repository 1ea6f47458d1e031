/**
 * The consequences of a container's indexing policy for a query: its refusal, its charge, and the index that serves
 * it (docs/reference/cosmos-protocol.md §1.15, §3.3).
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { parsePropertyPath } from "../../protocol/property-path.ts";
import { pathsOf, type Query, type QueryPaths } from "../../sql/index.ts";
import type { CompositePath, IndexingPolicy } from "./indexing-policy.ts";

/** A path of an index, as `indexColumns` takes it. */
export interface IndexPath {
  readonly path: string;
  readonly descending: boolean;
}

export interface QueryAdvice {
  /** Whether the policy indexes every path that the filter reads. */
  readonly filterIndexed: boolean;
  /** Whether an index gives the rows in their order, so that TOP ends the work early. */
  readonly orderCovered: boolean;
  /** Whether a single ORDER BY answers rows without the path. */
  readonly orderUndefined: boolean;
  /** The index that serves the query in a large container; empty if none does. */
  readonly index: readonly IndexPath[];
}

/** Throws 400 for an ORDER BY that no index of the policy serves. */
export function adviseQuery(query: Query, policy: IndexingPolicy): QueryAdvice {
  const paths = pathsOf(query);
  const order = paths.orderBy;
  const composite = order.length > 1 ? policy.composites.find((one) => serves(one, order)) : undefined;
  if (order.length > 1 && composite === undefined) {
    throw CosmosError.badRequest(
      "The order by query does not have a corresponding composite index that it can be served from. Add one to the indexing policy with the same paths, in the same directions or all reversed.",
    );
  }
  const [first] = order;
  if (order.length === 1 && first !== undefined && !isIndexed(policy, first.path)) {
    throw CosmosError.badRequest(
      `The order-by item ${first.path} is excluded from the index. Include the path in the indexing policy.`,
    );
  }
  const covering = composite ?? policy.composites.find((one) => covers(one, paths));
  const isOnePath = new Set([...paths.filter, ...order.map(({ path }) => path)]).size <= 1;
  return {
    filterIndexed: paths.filter.every((path) => isServed(policy, path, paths)),
    orderCovered: isOnePath || policy.composites.some((one) => covers(one, paths)),
    orderUndefined: first !== undefined && isNamed(policy, first.path),
    index: indexFor(paths, policy, covering),
  };
}

function isIndexed(policy: IndexingPolicy, path: string): boolean {
  return policy.isIndexed(parsePropertyPath(path));
}

/**
 * Tells whether an index leaves out the rows that a condition on the path excludes: its own, or a composite one whose
 * paths before it are fixed by equalities.
 */
function isServed(policy: IndexingPolicy, path: string, { equality }: QueryPaths): boolean {
  if (isIndexed(policy, path)) return true;
  const [names, fixed] = [parsePropertyPath(path), equality.map(parsePropertyPath)];
  return policy.composites.some((composite) => {
    const place = composite.findIndex((one) => isSame(one.names, names));
    return (
      place > 0 && composite.slice(0, place).every((one) => fixed.some((path) => isSame(path, one.names)))
    );
  });
}

/**
 * Tells whether rows without the path are answered: the service leaves them out unless the policy names it or a
 * composite index begins with it.
 */
function isNamed(policy: IndexingPolicy, path: string): boolean {
  const names = parsePropertyPath(path);
  return (
    policy.names(names) || policy.composites.some(([head]) => head !== undefined && isSame(head.names, names))
  );
}

/** Tells whether the paths are the same in the same order, all directions as asked or all reversed. */
function serves(composite: readonly CompositePath[], order: QueryPaths["orderBy"]): boolean {
  if (composite.length !== order.length) return false;
  const reversed = composite[0]?.descending !== order[0]?.descending;
  return composite.every(({ names, descending }, index) => {
    const item = order[index];
    return (
      item !== undefined &&
      isSame(names, parsePropertyPath(item.path)) &&
      (descending !== item.descending) === reversed
    );
  });
}

/**
 * Tells whether the index holds the rows together that the filter's equalities name, in the order that is asked for:
 * those paths first, then the order's. Without an order it must have all paths of the filter.
 */
function covers(composite: readonly CompositePath[], { equality, orderBy, filter }: QueryPaths): boolean {
  const isAmong = ({ names }: CompositePath, paths: readonly string[]): boolean =>
    paths.some((path) => isSame(names, parsePropertyPath(path)));
  if (orderBy.length === 0) {
    return filter.every((path) => composite.some((one) => isAmong(one, [path])));
  }
  const [fixed, sorted] = [equality, orderBy.filter(({ path }) => !equality.includes(path))];
  const head = composite.slice(0, fixed.length);
  const tail = composite.slice(fixed.length, fixed.length + sorted.length);
  return head.every((one) => isAmong(one, fixed)) && serves(tail, sorted);
}

/**
 * Chooses the columns of an index. Equalities find a stretch of the index, the order goes through it, and what a
 * composite index has besides is filtered without looking at documents.
 */
function indexFor(
  { equality, orderBy, filter }: QueryPaths,
  policy: IndexingPolicy,
  composite: readonly CompositePath[] | undefined,
): readonly IndexPath[] {
  const others = filter.filter((path) => !equality.includes(path));
  const inComposite = others.filter((path) =>
    composite?.some(({ names }) => isSame(names, parsePropertyPath(path))),
  );
  const behind = composite === undefined && orderBy.length === 0 ? others.slice(0, 1) : inComposite;
  const wanted = [
    ...equality.toSorted().map((path) => ({ path, descending: false })),
    ...orderBy,
    ...behind.map((path) => ({ path, descending: false })),
  ];
  const known = new Set<string>();
  return wanted.filter(({ path }) => {
    const isNew = !known.has(path) && isServed(policy, path, { equality, orderBy, filter });
    known.add(path);
    return isNew;
  });
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}
