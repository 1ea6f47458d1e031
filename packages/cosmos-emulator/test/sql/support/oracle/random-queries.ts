/** Random queries as trees, of all the kinds that the endpoint runs in different ways. */
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../../../src/protocol/json.ts";
import type {
  Count,
  Expression,
  OrderItem,
  Projection,
  Select,
  Source,
} from "../../../../src/sql/syntax/tree.ts";
import { AGGREGATES } from "./functions.ts";
import { anyValue, documents, NAMES } from "./random-documents.ts";
import { call, identifier, member, path, RandomExpressions } from "./random-expressions.ts";

const NOWHERE = { start: 0, end: 0 } as const;

/** A query, and what it is asked of. */
export interface RandomCase {
  readonly select: Select;
  readonly documents: readonly JsonObject[];
  readonly parameters: Readonly<Record<string, JsonValue>>;
  readonly orderUndefined: boolean;
  /** Properties with an index of SQLite. */
  readonly indexed: readonly string[];
}

const DEPTH = 3;
const expressions = new RandomExpressions();

const join: Source = { of: member(identifier("c"), "list"), alias: "x", iterate: true, ...NOWHERE };

const count: fc.Arbitrary<Count> = fc
  .constantFrom(1, 2, 3, 4, 5, 6, 0)
  .map((value) => ({ kind: "count", value, ...NOWHERE }));

/** TOP, or OFFSET and LIMIT, or neither. */
const counts = fc.oneof(
  { arbitrary: fc.constant({}), weight: 4 },
  count.map((top) => ({ top })),
  fc.tuple(count, count).map(([offset, limit]) => ({ page: { offset, limit } })),
);

function list(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Projection> {
  return fc.array(expression, { minLength: 1, maxLength: 3 }).map((items) => ({
    kind: "list",
    items: items.map((item, at) => ({ expression: item, alias: `k${at}` })),
  }));
}

function value(expression: fc.Arbitrary<Expression>): fc.Arbitrary<Projection> {
  return expression.map((one) => ({ kind: "value", expression: one }));
}

/** Items of ORDER BY on the document itself: nothing else can be sorted by. */
const orderItem: fc.Arbitrary<OrderItem> = fc.record({
  expression: fc.constantFrom(...NAMES).map((name) => member(identifier("c"), name)),
  descending: fc.boolean(),
});

function sources(names: readonly string[]): Pick<Select, "from"> {
  const source: Source = { of: identifier("c"), iterate: false, ...NOWHERE };
  return { from: { source, joins: names.includes("x") ? [join] : [] } };
}

/** Rows that come from documents one by one, or their distinct ones. */
function plain(names: readonly string[]): fc.Arbitrary<Select> {
  const expression = expressions.over(names, DEPTH);
  const star = fc.constant<Projection>({ kind: "star", span: NOWHERE });
  return fc
    .record({
      distinct: fc.boolean(),
      projection: fc.oneof(
        { arbitrary: value(path(names)), weight: 2 },
        value(expressions.conditions(names, 2)),
        value(expression),
        list(expression),
        ...(names.includes("x") ? [] : [star]),
      ),
      where: fc.option(expressions.conditions(names, 2), { nil: undefined, freq: 3 }),
      orderBy: fc.array(orderItem, { maxLength: 3 }),
      counts,
    })
    .map(({ counts: bounds, where, ...select }) => ({
      ...select,
      ...bounds,
      ...(where !== undefined && { where }),
      ...sources(names),
      groupBy: [],
      ...NOWHERE,
    }));
}

/** Rows that stand for groups: keys and aggregates side by side. */
function grouped(names: readonly string[]): fc.Arbitrary<Select> {
  const aggregate = fc
    .tuple(fc.constantFrom(...Object.keys(AGGREGATES)), fc.oneof(path(names), expressions.over(names, 1)))
    .map(([name, argument]) => call(name, [argument]));
  return fc
    .record({
      keys: fc.array(path(names), { maxLength: 2 }),
      aggregates: fc.array(aggregate, { minLength: 1, maxLength: 3 }),
      isValue: fc.boolean(),
      where: fc.option(expressions.conditions(names, 1), { nil: undefined, freq: 2 }),
      distinct: fc.boolean(),
      counts,
    })
    .map(({ keys, aggregates, isValue, where, distinct, counts: bounds }) => {
      const [first] = aggregates;
      const items = [...keys, ...aggregates].map((item, at) => ({ expression: item, alias: `k${at}` }));
      const projection: Projection =
        isValue && first !== undefined ? { kind: "value", expression: first } : { kind: "list", items };
      return {
        distinct,
        projection,
        ...bounds,
        ...(where !== undefined && { where }),
        ...sources(names),
        groupBy: keys,
        orderBy: [],
        ...NOWHERE,
      };
    });
}

export const randomCase: fc.Arbitrary<RandomCase> = fc.record({
  select: fc.oneof(
    { arbitrary: plain(["c"]), weight: 5 },
    { arbitrary: plain(["c", "x"]), weight: 2 },
    { arbitrary: grouped(["c"]), weight: 2 },
    grouped(["c", "x"]),
  ),
  documents,
  parameters: fc.record({ "@p": anyValue, "@q": anyValue }),
  orderUndefined: fc.boolean(),
  indexed: fc.subarray(["a", "b", "n", "k v"]),
});
