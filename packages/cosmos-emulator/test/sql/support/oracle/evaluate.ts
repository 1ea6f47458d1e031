/** The value of an expression for one row, or for a group of rows. */
import type {
  BinaryOperator,
  CallNode,
  ComparisonOperator,
  Expression,
  Select,
  SubqueryNode,
} from "../../../../src/sql/syntax/tree.ts";
import { AGGREGATES, FUNCTIONS, like } from "./functions.ts";
import { and, compare, equal, not, or, type Value } from "./values.ts";

/** The values of the names of a row. */
export type Row = ReadonlyMap<string, Value>;

export interface Surroundings {
  /** Values by name with `@`. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** The rows of a subquery inside a row. */
  rowsOf(select: Select, outer: Row): readonly Value[];
}

/** @param group The rows that an aggregate reads; `row` is the first of them. */
export function evaluate(
  node: Expression,
  row: Row,
  surroundings: Surroundings,
  group?: readonly Row[],
): Value {
  const value = (inner: Expression): Value => evaluate(inner, row, surroundings, group);
  switch (node.kind) {
    case "literal":
      return node.value;
    case "parameter":
      return surroundings.parameters.get(node.name);
    case "identifier":
      return row.get(node.name);
    case "member":
      return member(value(node.object), value(node.index));
    case "array":
      return node.items.map((item) => value(item) ?? null);
    case "object":
      return Object.fromEntries(
        node.entries.flatMap((entry) => {
          const inner = value(entry.value);
          return inner === undefined ? [] : [[entry.name, inner]];
        }),
      );
    case "unary":
      return unary(node.operator, value(node.operand));
    case "binary":
      return binary(node.operator, value(node.left), value(node.right));
    case "logical":
      return (node.operator === "AND" ? and : or)(node.operands.map(value));
    case "in":
      return isOneOf(value(node.value), node.items.map(value));
    case "between":
      return and([
        binary(">=", value(node.value), value(node.low)),
        binary("<=", value(node.value), value(node.high)),
      ]);
    case "like":
      return like(value(node.value), value(node.pattern));
    case "conditional":
      return value(node.condition) === true ? value(node.then) : value(node.otherwise);
    case "call":
      return call(node, row, surroundings, group);
    case "subquery":
      return subquery(node.form, surroundings.rowsOf(node.select, row));
  }
}

function member(object: Value, index: Value): Value {
  if (Array.isArray(object)) return typeof index === "number" ? (object[index] as Value) : undefined;
  const isObject = typeof object === "object" && object !== null && typeof index === "string";
  return isObject && Object.hasOwn(object, index) ? (object as Record<string, Value>)[index] : undefined;
}

function unary(operator: "-" | "+" | "~" | "NOT", operand: Value): Value {
  if (operator === "NOT") return not(operand);
  if (typeof operand !== "number") return undefined;
  return { "-": -operand, "+": operand, "~": ~operand }[operator];
}

const COMPARISONS: Readonly<Record<Exclude<ComparisonOperator, "=" | "!=">, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

const ARITHMETIC: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "&": (left, right) => left & right,
  "|": (left, right) => left | right,
  "^": (left, right) => left ^ right,
};

function binary(operator: BinaryOperator, left: Value, right: Value): Value {
  switch (operator) {
    case "=":
      return equal(left, right);
    case "!=":
      return not(equal(left, right));
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compare(left, right, COMPARISONS[operator]);
    case "??":
      return left === undefined ? right : left;
    case "||":
      return typeof left === "string" && typeof right === "string" ? left + right : undefined;
    default:
      return typeof left === "number" && typeof right === "number"
        ? ARITHMETIC[operator]?.(left, right)
        : undefined;
  }
}

/** Tells whether a value is one of the items; undefined ones are none. */
function isOneOf(value: Value, items: readonly Value[]): Value {
  return value === undefined ? undefined : items.some((item) => equal(value, item) === true);
}

function call(node: CallNode, row: Row, surroundings: Surroundings, group?: readonly Row[]): Value {
  const aggregate = AGGREGATES[node.name];
  const [argument] = node.args;
  if (aggregate !== undefined && argument !== undefined) {
    return aggregate((group ?? []).map((one) => evaluate(argument, one, surroundings)));
  }
  const compute = FUNCTIONS[node.name];
  if (compute === undefined) throw new Error(`the oracle does not know ${node.name}`);
  return compute(...node.args.map((arg) => evaluate(arg, row, surroundings, group)));
}

/** A scalar subquery with more than one row has no value (assumed). */
function subquery(form: SubqueryNode["form"], rows: readonly Value[]): Value {
  if (form === "exists") return rows.length > 0;
  if (form === "array") return rows as Value;
  return rows.length === 1 ? rows[0] : undefined;
}
