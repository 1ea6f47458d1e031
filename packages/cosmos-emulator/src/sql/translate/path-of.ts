/** Finds out whether an expression is a path: `c.a["b"][0]`. */
import { queryError } from "../syntax/query-error.ts";
import type { Expression, IdentifierNode } from "../syntax/tree.ts";
import { constantOf } from "./constant.ts";
import type { Step } from "./json-path.ts";
import type { Names } from "./names.ts";

/** A path from the document. */
export type Path = readonly Step[];

/** Finds the path that the expression is, or undefined if it is something else. */
export function pathOf(expression: Expression, names: Names): Path | undefined {
  if (expression.kind === "identifier") {
    checkName(expression, names);
    return [];
  }
  if (expression.kind !== "member") return undefined;
  const path = pathOf(expression.object, names);
  const index = constantOf(expression.index, names.parameters)?.value;
  const isStep = typeof index === "string" || typeof index === "number";
  return path === undefined || !isStep ? undefined : [...path, index];
}

/** Throws CosmosError 400 unless the name is that of the document. */
export function checkName(identifier: IdentifierNode, { document }: Names): void {
  if (identifier.name === document) return;
  throw queryError("SC2001", `Identifier '${identifier.name}' could not be resolved.`, identifier);
}
