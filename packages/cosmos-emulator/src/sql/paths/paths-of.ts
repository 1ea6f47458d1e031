/** The paths of documents by which a query filters and sorts: for indexes, and for charges. */
import { childrenOf } from "../syntax/children.ts";
import type { Expression, Query } from "../syntax/tree.ts";
import { constantOf } from "../translate/constant.ts";
import type { Step } from "../translate/json-path.ts";
import { formatPath } from "./policy-path.ts";

/** Paths as in indexing policies: `/a/b`. */
export interface QueryPaths {
  /** Paths read by WHERE. */
  readonly filter: readonly string[];
  readonly orderBy: readonly { readonly path: string; readonly descending: boolean }[];
  /** Paths of the filter that must equal a constant. */
  readonly equality: readonly string[];
}

/** Finds the paths of a query. A path whose steps depend on a value is left out. */
export function pathsOf(query: Query): QueryPaths {
  const { from, where, orderBy: items } = query.select;
  const filter = new Set<string>();
  if (where !== undefined) collect(where, from, filter);
  const orderBy = items.flatMap(({ expression, descending }) => {
    const steps = stepsOf(expression, from);
    return steps === undefined ? [] : [{ path: formatPath(steps), descending }];
  });
  const equality = new Set(where === undefined ? [] : equalPaths(where, from));
  return { filter: [...filter], orderBy, equality: [...equality] };
}

/** Finds the path in the document that the expression is. */
export function documentPath(expression: Expression, query: Query): string | undefined {
  const steps = stepsOf(expression, query.select.from);
  return steps === undefined ? undefined : formatPath(steps);
}

/** Finds the path. `document` is the name of the document. */
function stepsOf(expression: Expression, document: string | undefined): readonly Step[] | undefined {
  if (expression.kind === "identifier") return expression.name === document ? [] : undefined;
  if (expression.kind !== "member") return undefined;
  const steps = stepsOf(expression.object, document);
  const index = constantOf(expression.index, new Map())?.value;
  const isStep = typeof index === "string" || typeof index === "number";
  return steps === undefined || !isStep ? undefined : [...steps, index];
}

/** The elements of the array of which an element is to equal a value. */
function elementsOf(expression: Expression, document: string | undefined): readonly Step[] | undefined {
  if (expression.kind !== "call" || expression.name.toUpperCase() !== "ARRAY_CONTAINS") return undefined;
  const [array, value, ...more] = expression.args;
  const steps = array === undefined ? undefined : stepsOf(array, document);
  const isConstant = value !== undefined && constantOf(value, new Map()) !== undefined;
  return steps !== undefined && isConstant && more.length === 0 ? [...steps, 0] : undefined;
}

function collect(expression: Expression, document: string | undefined, into: Set<string>): void {
  const steps = stepsOf(expression, document) ?? elementsOf(expression, document);
  if (steps !== undefined) {
    into.add(formatPath(steps));
  } else {
    for (const child of childrenOf(expression)) collect(child, document, into);
  }
}

/** Paths that are compared with `=` wherever the condition is true. */
function equalPaths(condition: Expression, document: string | undefined): readonly string[] {
  if (condition.kind === "logical" && condition.operator === "AND") {
    return condition.operands.flatMap((operand) => equalPaths(operand, document));
  }
  if (condition.kind !== "binary" || condition.operator !== "=") return [];
  const sides = [
    [condition.left, condition.right],
    [condition.right, condition.left],
  ] as const;
  for (const [side, other] of sides) {
    const steps = stepsOf(side, document);
    if (steps !== undefined && constantOf(other, new Map()) !== undefined) return [formatPath(steps)];
  }
  return [];
}
