/** The functions of a file with which orchestration code begins. */
import type { Names } from "../syntax/names.ts";
import { type FunctionNode, isFunction, type Node, unwrapped } from "../syntax/node.ts";

/** A function, and where it gets the context. */
export interface Start {
  readonly function: FunctionNode;
  readonly contextAt: number;
}

/** The function that a name or an expression of the file stands for. */
export function functionOf(expression: Node, names: Names): FunctionNode | undefined {
  const value = unwrapped(expression);
  if (isFunction(value)) return value;
  if (value.type !== "Identifier") return undefined;
  const [definition, other] = names.variable(value)?.defs ?? [];
  if (definition === undefined || other !== undefined) return undefined;
  if (isFunction(definition.node)) {
    return definition.type === "FunctionName" ? definition.node : undefined;
  }
  if (definition.node.type !== "VariableDeclarator" || definition.node.init === null) return undefined;
  const init = unwrapped(definition.node.init);
  return isFunction(init) ? init : undefined;
}

/** Finds the start that a node is: a call of `orchestration`, or a function whose parameter is a context by its type. */
export function startAt(node: Node, names: Names): Start | undefined {
  if (node.type === "CallExpression" && names.isOfCore(node.callee, "orchestration")) {
    const handler = node.arguments.at(-1);
    const found = handler === undefined ? undefined : functionOf(handler, names);
    return found === undefined ? undefined : { function: found, contextAt: 0 };
  }
  if (isFunction(node)) {
    const contextAt = node.params.findIndex((parameter) => hasType(parameter, "OrchestrationContext", names));
    if (contextAt >= 0) return { function: node, contextAt };
  }
  if (node.type === "VariableDeclarator" && isFunction(node.init)) {
    if (HANDLERS.some((type) => hasType(node.id, type, names))) return { function: node.init, contextAt: 0 };
  }
  return undefined;
}

/** Types of variables that are functions of orchestration code. */
const HANDLERS: readonly string[] = [
  "OrchestrationHandler",
  "MapFunction",
  "BranchFunction",
  "CleanUpFunction",
];

/** Whether a parameter or a variable is declared with a type of the package. */
export function hasType(target: Node, type: string, names: Names): boolean {
  if (target.type === "AssignmentPattern") return hasType(target.left, type, names);
  if (target.type !== "Identifier") return false;
  const annotated = target.typeAnnotation?.typeAnnotation;
  return annotated?.type === "TSTypeReference" && names.isOfCore(annotated.typeName, type);
}
