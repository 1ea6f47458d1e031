/** The paths of documents by which a query filters and sorts: for indexes, and for charges. */
import { childrenOf } from "../syntax/children.ts";
import type { Expression, From, Query, Select, Source } from "../syntax/tree.ts";
import { constantOf } from "../translate/constant.ts";
import type { Step } from "../translate/json-path.ts";
import { formatPath } from "./policy-path.ts";

/** Paths as in indexing policies: `/a/b`. */
export interface QueryPaths {
  /** Paths read by WHERE, those inside subqueries included. */
  readonly filter: readonly string[];
  readonly orderBy: readonly { readonly path: string; readonly descending: boolean }[];
  /** Paths of the filter that must equal a constant. */
  readonly equality: readonly string[];
}

/** The path from the document for which a name stands. */
type Scope = ReadonlyMap<string, readonly Step[]>;

/** Finds the paths of a query. A path whose steps depend on a value is left out. */
export function pathsOf(query: Query): QueryPaths {
  const { select } = query;
  const filter = new Set<string>();
  const scope = collectSelect(select, new Map(), true, filter);
  const orderBy = select.orderBy.flatMap(({ expression, descending }) => {
    const steps = stepsOf(expression, scope);
    return steps === undefined ? [] : [{ path: formatPath(steps), descending }];
  });
  const equality = new Set(select.where === undefined ? [] : equalPaths(select.where, scope));
  return { filter: [...filter], orderBy, equality: [...equality] };
}

/** Finds the path in the document that the expression is, in the scope of the outermost query. */
export function documentPath(expression: Expression, query: Query): string | undefined {
  const steps = stepsOf(expression, scopeOf(query.select.from, new Map(), true));
  return steps === undefined ? undefined : formatPath(steps);
}

/** Adds the names of FROM and JOIN; at the start of a query the first name is the document. */
function scopeOf(from: From | undefined, outer: Scope, outermost: boolean): Scope {
  const scope = new Map(outer);
  for (const source of from === undefined ? [] : [from.source, ...from.joins]) {
    if (outermost && source === from?.source && source.of.kind !== "select") scope.set(rootName(source), []);
    const steps = source.of.kind === "select" ? undefined : stepsOf(source.of, scope);
    const name = source.alias ?? lastName(source);
    if (steps !== undefined && name !== undefined) scope.set(name, source.iterate ? [...steps, 0] : steps);
  }
  return scope;
}

function rootName(source: Source): string {
  let node = source.of;
  while (node.kind === "member") node = node.object;
  return node.kind === "identifier" ? node.name : "";
}

function lastName(source: Source): string | undefined {
  const { of } = source;
  const index = of.kind === "member" && of.index.kind === "literal" ? of.index.value : undefined;
  return of.kind === "identifier" ? of.name : typeof index === "string" ? index : undefined;
}

function stepsOf(expression: Expression, scope: Scope): readonly Step[] | undefined {
  if (expression.kind === "identifier") return scope.get(expression.name);
  if (expression.kind !== "member") return undefined;
  const steps = stepsOf(expression.object, scope);
  const index = constantOf(expression.index, new Map())?.value;
  const isStep = typeof index === "string" || typeof index === "number";
  return steps === undefined || !isStep ? undefined : [...steps, index];
}

/** The elements of the array of which an element is to equal a value. */
function elementsOf(expression: Expression, scope: Scope): readonly Step[] | undefined {
  if (expression.kind !== "call" || expression.name.toUpperCase() !== "ARRAY_CONTAINS") return undefined;
  const [array, value, ...more] = expression.args;
  const steps = array === undefined ? undefined : stepsOf(array, scope);
  const isConstant = value !== undefined && constantOf(value, new Map()) !== undefined;
  return steps !== undefined && isConstant && more.length === 0 ? [...steps, 0] : undefined;
}

function collect(expression: Expression, scope: Scope, into: Set<string>): void {
  const steps = stepsOf(expression, scope) ?? elementsOf(expression, scope);
  if (steps !== undefined) {
    into.add(formatPath(steps));
  } else if (expression.kind === "subquery") {
    collectSelect(expression.select, scope, false, into);
  } else {
    for (const child of childrenOf(expression)) collect(child, scope, into);
  }
}

/**
 * Gives the scope of the query. `outermost`: it reads the documents, as a subquery that is its first source does too.
 */
function collectSelect(select: Select, outer: Scope, outermost: boolean, into: Set<string>): Scope {
  const { from, where } = select;
  const scope = scopeOf(from, outer, outermost);
  for (const source of from === undefined ? [] : [from.source, ...from.joins]) {
    if (source.of.kind === "select") {
      collectSelect(source.of.select, scope, outermost && source === from?.source, into);
    }
  }
  if (where !== undefined) collect(where, scope, into);
  return scope;
}

/** Paths that are compared with `=` wherever the condition is true. */
function equalPaths(condition: Expression, scope: Scope): readonly string[] {
  if (condition.kind === "logical" && condition.operator === "AND") {
    return condition.operands.flatMap((operand) => equalPaths(operand, scope));
  }
  if (condition.kind !== "binary" || condition.operator !== "=") return [];
  const sides = [
    [condition.left, condition.right],
    [condition.right, condition.left],
  ] as const;
  for (const [side, other] of sides) {
    const steps = stepsOf(side, scope);
    if (steps !== undefined && constantOf(other, new Map()) !== undefined) return [formatPath(steps)];
  }
  return [];
}
