/** Expressions with operators. The order of precedence is that of the query grammar in Microsoft's SDKs. */
import { parsePrimary } from "./parse-primary.ts";
import { notSupported } from "./query-error.ts";
import { readString } from "./string-literal.ts";
import type { TokenReader } from "./token-reader.ts";
import type { BinaryOperator, Expression, LogicalNode } from "./tree.ts";

/** Levels of precedence from the loosest to the tightest. */
const BINARY_LEVELS: readonly (readonly BinaryOperator[])[] = [
  ["=", "!="],
  ["<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "/", "%"],
];

/** Operators by their spelling, with the one that the tree keeps and its level. */
const BINARY_OPERATORS: ReadonlyMap<string, { operator: BinaryOperator; level: number }> = new Map([
  ...BINARY_LEVELS.flatMap((operators, level) =>
    operators.map((operator) => [operator, { operator, level }] as const),
  ),
  ["<>", { operator: "!=", level: BINARY_LEVELS.findIndex((operators) => operators.includes("!=")) }],
]);

/** Operators that the service has and this endpoint does not: refused by name. */
const UNSUPPORTED: ReadonlySet<string> = new Set("?? ? || | ^ & << >> >>> ~".split(" "));

/** Parses a whole expression: OR, AND, the predicates and the binary operators. */
export function parseExpression(reader: TokenReader): Expression {
  return reader.nested(() => {
    const expression = parseLogical(reader, "OR");
    refuseOperator(reader);
    return expression;
  });
}

function refuseOperator(reader: TokenReader): void {
  const token = reader.peek();
  if (token.kind === "symbol" && UNSUPPORTED.has(token.text)) {
    throw notSupported(`The operator ${token.text}`, token);
  }
}

function parseLogical(reader: TokenReader, operator: LogicalNode["operator"]): Expression {
  const operand = (): Expression =>
    operator === "OR" ? parseLogical(reader, "AND") : parsePredicate(reader);
  const first = operand();
  const operands = [first];
  while (reader.takeWord(operator) !== undefined) operands.push(operand());
  return operands.length === 1 ? first : { kind: "logical", operator, operands, ...reader.spanFrom(first) };
}

/** Parses `x [NOT] IN (…)`, `x [NOT] BETWEEN … AND …`, `x [NOT] LIKE … [ESCAPE …]`, or just `x`. */
function parsePredicate(reader: TokenReader): Expression {
  const value = parseBinary(reader, 0);
  const negated = reader.isWord("NOT") && reader.next() !== undefined;
  const predicate = parsePredicateTail(reader, value);
  if (predicate === undefined) return negated ? reader.fail() : value;
  return negated
    ? { kind: "unary", operator: "NOT", operand: predicate, ...reader.spanFrom(value) }
    : predicate;
}

function parsePredicateTail(reader: TokenReader, value: Expression): Expression | undefined {
  if (reader.takeWord("IN") !== undefined) {
    reader.expectSymbol("(");
    const items = reader.list(() => parseExpression(reader));
    reader.expectSymbol(")");
    return { kind: "in", value, items, ...reader.spanFrom(value) };
  }
  if (reader.takeWord("BETWEEN") !== undefined) {
    const low = parseBinary(reader, 0);
    reader.expectWord("AND");
    const high = parseBinary(reader, 0);
    return { kind: "between", value, low, high, ...reader.spanFrom(value) };
  }
  if (reader.takeWord("LIKE") !== undefined) {
    const pattern = parseBinary(reader, 0);
    const character = reader.takeWord("ESCAPE") && parseEscape(reader);
    const node = { kind: "like", value, pattern, ...reader.spanFrom(value) } as const;
    return character === undefined ? node : { ...node, escape: character };
  }
  return undefined;
}

function parseEscape(reader: TokenReader): string {
  const { value } = readString(reader.expectKind("string").text, 0);
  return value;
}

/** Takes operators of this level and tighter ones; those of one level group to the left. */
function parseBinary(reader: TokenReader, loosest: number): Expression {
  return reader.chain(() => {
    let left = parseUnary(reader);
    for (;;) {
      const token = reader.peek();
      const found = token.kind === "symbol" ? BINARY_OPERATORS.get(token.text) : undefined;
      if (found === undefined || found.level < loosest) return left;
      reader.next();
      reader.deepen(token);
      const right = parseBinary(reader, found.level + 1);
      left = { kind: "binary", operator: found.operator, left, right, ...reader.spanFrom(left) };
    }
  });
}

function parseUnary(reader: TokenReader): Expression {
  refuseOperator(reader);
  const token = reader.peek();
  for (const operator of ["-", "+"] as const) {
    if (reader.takeSymbol(operator) !== undefined) {
      const operand = reader.nested(() => parseUnary(reader));
      return { kind: "unary", operator, operand, ...reader.spanFrom(token) };
    }
  }
  if (reader.takeWord("NOT") !== undefined) {
    const operand = reader.nested(() => parseUnary(reader));
    return { kind: "unary", operator: "NOT", operand, ...reader.spanFrom(token) };
  }
  return parsePrimary(reader, parseExpression);
}
