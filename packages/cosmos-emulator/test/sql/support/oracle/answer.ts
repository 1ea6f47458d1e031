/** The rows of a query over a list of documents: a query engine in a page, slow and plain. */
import type { JsonObject } from "../../../../src/protocol/json.ts";
import type { Count, Expression, Select } from "../../../../src/sql/syntax/tree.ts";
import { evaluate, type Parameters, type Row } from "./evaluate.ts";
import { AGGREGATES } from "./functions.ts";
import { inOrder, textOf, type Value } from "./values.ts";

/** A row of the result, with the values that it is sorted by. */
interface Result {
  readonly value: Value;
  readonly order: readonly Value[];
}

export interface Answering {
  readonly parameters: Parameters;
  /** Whether an ORDER BY of one item answers documents that do not have it. */
  readonly orderUndefined: boolean;
}

/** All rows in their order. Undefined is no row. */
export function answer(
  select: Select,
  documents: readonly JsonObject[],
  { parameters, orderUndefined }: Answering,
): readonly Value[] {
  const { from, where, orderBy } = select;
  if (from === undefined) throw new Error("the oracle reads FROM and the name of the container");
  const rows = documents.map((document): Row => new Map([[from, document]]));
  const found = rows.filter((row) => where === undefined || evaluate(where, row, parameters) === true);
  const all = isGrouped(select)
    ? grouped(select, found, parameters)
    : found.map((row) => ({
        value: projected(select, row, parameters),
        order: orderBy.map(({ expression }) => evaluate(expression, row, parameters)),
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

function projected(select: Select, row: Row, parameters: Parameters, group?: readonly Row[]): Value {
  const { projection } = select;
  const value = (expression: Expression): Value => evaluate(expression, row, parameters, group);
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
function grouped(select: Select, rows: readonly Row[], parameters: Parameters): readonly Result[] {
  const groups = new Map<string, Row[]>(select.groupBy.length === 0 ? [["[]", []]] : []);
  for (const row of rows) {
    const keys = select.groupBy.map((key) => evaluate(key, row, parameters));
    const name = JSON.stringify(keys.map((key) => (key === undefined ? [] : [textOf(key)])));
    const group = groups.get(name) ?? [];
    group.push(row);
    groups.set(name, group);
  }
  return [...groups.values()].map((group) => ({
    value: projected(select, group[0] ?? new Map(), parameters, group),
    order: [],
  }));
}
