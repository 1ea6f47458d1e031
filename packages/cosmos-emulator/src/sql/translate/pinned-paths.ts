/**
 * The facts that a filter fixes about the paths that a query sorts by: the type, or the very value. SQLite does not
 * see that an expression which is fixed needs no sorting, and would sort where an index has the order already.
 */
import type { Expression } from "../syntax/tree.ts";
import { constantOf } from "./constant.ts";
import { pathLiteral } from "./json-path.ts";
import { rankOf } from "./path-condition.ts";
import { type Path, pathOf } from "./path-of.ts";
import type { Translator } from "./translator.ts";

export type Pinned = "type" | "value";

/** Facts by `pathKey`. */
export type PinnedPaths = ReadonlyMap<string, Pinned>;

export function pathKey(path: Path): string {
  return `${path.base} ${pathLiteral(path.steps)}`;
}

/** Finds the paths that the condition pins down wherever it is true. */
export function pinnedPaths(condition: Expression | undefined, translator: Translator): PinnedPaths {
  const pinned = new Map<string, Pinned>();
  for (const part of conjuncts(condition)) {
    const found = pinnedBy(part, translator);
    if (found !== undefined && pinned.get(found.key) !== "value") pinned.set(found.key, found.pinned);
  }
  return pinned;
}

function conjuncts(condition: Expression | undefined): readonly Expression[] {
  if (condition?.kind === "logical" && condition.operator === "AND") {
    return condition.operands.flatMap(conjuncts);
  }
  return condition === undefined ? [] : [condition];
}

/**
 * Finds the path that a condition pins. Comparisons with numbers and strings only: null and booleans share no type
 * with their neighbours.
 */
function pinnedBy(
  condition: Expression,
  translator: Translator,
): { readonly key: string; readonly pinned: Pinned } | undefined {
  if (condition.kind === "between") return pinnedSide(condition.value, condition.low, "type", translator);
  if (condition.kind !== "binary" || !["=", "<", "<=", ">", ">="].includes(condition.operator)) {
    return undefined;
  }
  const pinned = condition.operator === "=" ? "value" : "type";
  return (
    pinnedSide(condition.left, condition.right, pinned, translator) ??
    pinnedSide(condition.right, condition.left, pinned, translator)
  );
}

function pinnedSide(
  side: Expression,
  other: Expression,
  pinned: Pinned,
  translator: Translator,
): { readonly key: string; readonly pinned: Pinned } | undefined {
  const constant = constantOf(other, translator.parameters)?.value;
  const path =
    typeof constant === "number" || typeof constant === "string" ? pathOf(side, translator) : undefined;
  return path !== undefined && rankOf(path) !== undefined ? { key: pathKey(path), pinned } : undefined;
}
