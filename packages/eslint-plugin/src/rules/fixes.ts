/** The changes that rules propose. */
import type { Zone } from "../code/zone.ts";
import { type Fix, type Fixer, functionAround, type SourceCode } from "../syntax/eslint.ts";
import type { Node } from "../syntax/node.ts";

/** The name of the context at a node; undefined if it has none, or another variable hides it. */
export function contextAt(node: Node, { context }: Zone, sourceCode: SourceCode): string | undefined {
  if (context === undefined) return undefined;
  for (let scope = sourceCode.getScope(node); ; ) {
    const found = scope.set.get(context.name);
    if (found !== undefined) return found === context ? context.name : undefined;
    if (scope.upper === null) return undefined;
    scope = scope.upper;
  }
}

/** The word with which the code at a node waits; undefined where it cannot. */
export function waitingWord(node: Node): "await" | "yield" | undefined {
  const around = functionAround(node);
  if (around?.async) return "await";
  return around !== undefined && "generator" in around && around.generator ? "yield" : undefined;
}

/** Replaces the node by a text, as a change or a proposal. */
export function replacement(node: Node, text: string): (fixer: Fixer) => Fix {
  return (fixer) => fixer.replaceText(node, text);
}
