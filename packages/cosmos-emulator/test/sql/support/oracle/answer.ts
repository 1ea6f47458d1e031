/** The rows of a query over a list of documents: a query engine in a page, slow and plain. */
import type { JsonObject } from "../../../../src/protocol/json.ts";
import type { Count, Expression, From, Select, Source } from "../../../../src/sql/syntax/tree.ts";
import { evaluate, type Row, type Surroundings } from "./evaluate.ts";
import { AGGREGATES } from "./functions.ts";
import { inOrder, textOf, type Value } from "./values.ts";

export interface Answering {
  readonly parameters: ReadonlyMap<string, Value>;
  /** Whether an ORDER BY of one item answers documents that do not have it. */
  readonly orderUndefined: boolean;
}

/** All rows in their order. Undefined is no row. */
export function answer(
  select: Select,
  documents: readonly JsonObject[],
  { parameters, orderUndefined }: Answering,
): readonly Value[] {
  const surroundings: Surroundings = {
    parameters,
    rowsOf: (inner, outer) => results(inner, sourceRows(inner.from, [outer], surroundings), surroundings),
  };
  const name = select.from?.source.of.kind === "identifier" ? select.from.source.of.name : undefined;
  if (name === undefined) throw new Error("the oracle reads FROM and the name of the container");
  const roots = documents.map((document): Row => new Map([[select.from?.source.alias ?? name, document]]));
  const rows = joined(select.from?.joins ?? [], roots, surroundings);
  return results(select, rows, surroundings, orderUndefined);
}

/** A row of the result, with the values that it is sorted by. */
interface Result {
  readonly value: Value;
  readonly order: readonly Value[];
}

function results(
  select: Select,
  rows: readonly Row[],
  surroundings: Surroundings,
  orderUndefined = true,
): readonly Value[] {
  const { where, orderBy } = select;
  const found = rows.filter((row) => where === undefined || evaluate(where, row, surroundings) === true);
  const all = isGrouped(select)
    ? grouped(select, found, surroundings)
    : found.map((row) => ({
        value: projected(select, row, surroundings),
        order: orderBy.map(({ expression }) => evaluate(expression, row, surroundings)),
      }));
  const kept = all.filter(
    ({ value, order }) =>
      value !== undefined && (orderUndefined || order.length !== 1 || order[0] !== undefined),
  );
  const sorted = kept.toSorted((left, right) => {
    const orders = orderBy.map(
      ({ descending }, at) => (descending ? -1 : 1) * inOrder(left.order[at], right.order[at]),
    );
    return orders.find((order) => order !== 0) ?? 0;
  });
  const unique = select.distinct ? withoutRepeats(sorted) : sorted;
  const skip = countOf(select.page?.offset) ?? 0;
  const take = countOf(select.top ?? select.page?.limit) ?? unique.length;
  return unique.slice(skip, skip + take).map(({ value }) => value);
}

function withoutRepeats(rows: readonly Result[]): readonly Result[] {
  const first = new Map<string, Result>();
  for (const row of rows) {
    const text = textOf(row.value);
    if (!first.has(text)) first.set(text, row);
  }
  return [...first.values()];
}

function countOf(count: Count | undefined): number | undefined {
  return count?.kind === "count" ? count.value : undefined;
}

function sourceRows(
  from: From | undefined,
  outer: readonly Row[],
  surroundings: Surroundings,
): readonly Row[] {
  return from === undefined ? outer : joined([from.source, ...from.joins], outer, surroundings);
}

/** One row for each element of each source; what is no array has none. */
function joined(
  sources: readonly Source[],
  roots: readonly Row[],
  surroundings: Surroundings,
): readonly Row[] {
  return sources.reduce(
    (rows, { of, alias = "" }) =>
      rows.flatMap((row) => {
        const list = of.kind === "select" ? undefined : evaluate(of, row, surroundings);
        return Array.isArray(list) ? list.map((item: Value) => new Map(row).set(alias, item)) : [];
      }),
    roots,
  );
}

function projected(select: Select, row: Row, surroundings: Surroundings, group?: readonly Row[]): Value {
  const { projection } = select;
  const value = (expression: Expression): Value => evaluate(expression, row, surroundings, group);
  switch (projection.kind) {
    case "star":
      return [...row.values()][0];
    case "value":
      return value(projection.expression);
    case "list":
      return Object.fromEntries(
        projection.items.flatMap(({ alias = "", expression }) => {
          const column = value(expression);
          return column === undefined ? [] : [[alias, column]];
        }),
      );
  }
}

function isGrouped(select: Select): boolean {
  const { projection, groupBy } = select;
  const items = projection.kind === "list" ? projection.items.map(({ expression }) => expression) : [];
  const expressions = projection.kind === "value" ? [projection.expression] : items;
  return groupBy.length > 0 || expressions.some(isAggregate);
}

/** Random queries have aggregates on their own only, not inside of expressions. */
function isAggregate(expression: Expression): boolean {
  return expression.kind === "call" && Object.hasOwn(AGGREGATES, expression.name);
}

/** Groups rows, in the order of the groups' first rows. Without GROUP BY there is one group, even of nothing. */
function grouped(select: Select, rows: readonly Row[], surroundings: Surroundings): readonly Result[] {
  const groups = new Map<string, Row[]>(select.groupBy.length === 0 ? [["[]", []]] : []);
  for (const row of rows) {
    const keys = select.groupBy.map((key) => evaluate(key, row, surroundings));
    const name = JSON.stringify(keys.map((key) => (key === undefined ? [] : [textOf(key)])));
    const group = groups.get(name) ?? [];
    group.push(row);
    groups.set(name, group);
  }
  return [...groups.values()].map((group) => ({
    value: projected(select, group[0] ?? new Map(), surroundings, group),
    order: [],
  }));
}
