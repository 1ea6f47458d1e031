/** The tree of a file. */
import type { SourceCode } from "./eslint.ts";
import type { Node } from "./node.ts";

/** The nodes directly below a node, in the order of the text. */
export function childrenOf(node: Node, { visitorKeys }: SourceCode): Node[] {
  const parts = node as unknown as Readonly<Record<string, Node | (Node | null)[] | null | undefined>>;
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const part = parts[key];
    if (Array.isArray(part)) return part.filter((each) => each !== null);
    return part === null || part === undefined ? [] : [part];
  });
}

/** A node and all nodes below it. */
export function descendants(node: Node, sourceCode: SourceCode): Node[] {
  return [node, ...childrenOf(node, sourceCode).flatMap((child) => descendants(child, sourceCode))];
}

/** Whether the first node is within the second one, or is it. */
export function isWithin(inner: Node, outer: Node): boolean {
  return inner.range[0] >= outer.range[0] && inner.range[1] <= outer.range[1];
}
