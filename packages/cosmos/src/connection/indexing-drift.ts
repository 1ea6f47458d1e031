/** Finds the indexes of our queries that a container lacks. Ignores further indexes of the container. */
import {
  type IndexingPolicy,
  NEEDED_COMPOSITES,
  NEEDED_PATHS,
  type NeededIndex,
} from "./container-definition.ts";

export interface IndexingDrift {
  readonly paths: readonly NeededIndex[];
  readonly composites: readonly NeededIndex[];
}

export function indexingDrift(policy: IndexingPolicy): IndexingDrift {
  if (policy.indexingMode === "none" || policy.automatic === false) {
    return { paths: NEEDED_PATHS, composites: NEEDED_COMPOSITES };
  }
  return {
    paths: NEEDED_PATHS.filter(({ paths: [path] }) => !isIndexed(policy, path)),
    composites: NEEDED_COMPOSITES.filter(({ paths }) => !hasComposite(policy, paths)),
  };
}

/** Whether an index finds the documents that have a value at this path. */
export function servesFilter(policy: IndexingPolicy, path: string): boolean {
  return policy.indexingMode !== "none" && policy.automatic !== false && isIndexed(policy, path);
}

/** Whether the container has the composite index over exactly these paths, ascending or descending. */
export function servesOrder(policy: IndexingPolicy, paths: readonly string[]): boolean {
  return policy.indexingMode !== "none" && policy.automatic !== false && hasComposite(policy, paths);
}

/** The most precise of the entries that cover a path decides; on a tie the path is indexed. */
function isIndexed({ includedPaths = [], excludedPaths = [] }: IndexingPolicy, path: string): boolean {
  const precision = (entries: readonly { readonly path: string }[]): number =>
    Math.max(-1, ...entries.map((entry) => precisionOf(entry.path, path)));
  const included = precision(includedPaths);
  return included >= 0 && included >= precision(excludedPaths);
}

/** How precisely an entry such as `/a/?` or `/a/*` names the path `/a`; -1 when it does not cover it. */
function precisionOf(entry: string, path: string): number {
  const parts = segmentsOf(entry);
  const last = parts.at(-1);
  const names = last === "?" || last === "*" ? parts.slice(0, -1) : parts;
  const wanted = segmentsOf(path);
  const isPrefix = names.every((name, at) => name === wanted[at]);
  if (!isPrefix) return -1;
  if (last === "*") return names.length;
  return names.length === wanted.length ? names.length + 1 : -1;
}

/** An index serves an order and its exact reverse (docs/reference/cosmos-protocol.md §1.15). */
function hasComposite({ compositeIndexes = [] }: IndexingPolicy, paths: readonly string[]): boolean {
  return compositeIndexes.some((composite) => {
    const isSequence =
      composite.length === paths.length &&
      composite.every(
        (part, at) => segmentsOf(part.path).join("/") === segmentsOf(paths[at] ?? "").join("/"),
      );
    const orders = new Set(composite.map(({ order = "ascending" }) => order.toLowerCase()));
    return isSequence && orders.size === 1;
  });
}

/** `/"a"/b/?` and `/a/b/?` are the same path. */
function segmentsOf(path: string): string[] {
  return path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replace(/^"(.*)"$/, "$1"));
}
