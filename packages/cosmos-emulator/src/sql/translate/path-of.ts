/** Finds out whether an expression is a path: `c.a["b"][0]`. */
import { queryError } from "../syntax/query-error.ts";
import type { Expression, IdentifierNode } from "../syntax/tree.ts";
import { constantOf } from "./constant.ts";
import type { Step } from "./json-path.ts";
import type { Translator } from "./translator.ts";

/** A path from the value of an alias. */
export interface Path {
  /** The SQL of the alias's value. */
  readonly base: string;
  readonly steps: readonly Step[];
}

/** Finds the path that the expression is, or undefined if it is something else. */
export function pathOf(expression: Expression, translator: Translator): Path | undefined {
  if (expression.kind === "identifier") return { base: resolveAlias(expression, translator), steps: [] };
  if (expression.kind !== "member") return undefined;
  const path = pathOf(expression.object, translator);
  const index = constantOf(expression.index, translator.parameters)?.value;
  const isStep = typeof index === "string" || typeof index === "number";
  return path === undefined || !isStep ? undefined : { base: path.base, steps: [...path.steps, index] };
}

/** Finds the SQL of an alias's value. */
export function resolveAlias(identifier: IdentifierNode, translator: Translator): string {
  const base = translator.aliases.get(identifier.name);
  if (base === undefined) {
    throw queryError("SC2001", `Identifier '${identifier.name}' could not be resolved.`, identifier);
  }
  return base;
}
