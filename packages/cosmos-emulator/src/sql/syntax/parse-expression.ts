/**
 * Expressions with operators. The order of precedence is that of the query grammar in Microsoft's SDKs, which
 * follows C and not SQL: comparisons bind tighter than `&`, and `||` binds loosest of the binary operators.
 */
import { type Grammar, parseList } from "./grammar.ts";
import { parsePrimary } from "./parse-primary.ts";
import { readString } from "./string-literal.ts";
import type { TokenReader } from "./token-reader.ts";
import type { BinaryOperator, Expression, LogicalNode } from "./tree.ts";

/** Levels of precedence from the loosest to the tightest. */
const BINARY_LEVELS: readonly (readonly BinaryOperator[])[] = [
  ["||"],
  ["|"],
  ["^"],
  ["&"],
  ["=", "!="],
  ["<", "<=", ">", ">="],
  ["<<", ">>", ">>>"],
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

/** Parses a whole expression: ternary, then `??`, then OR, AND, the predicates and the binary operators. */
export function parseExpression(reader: TokenReader, grammar: Grammar): Expression {
  return reader.nested(() => {
    const condition = parseCoalesce(reader, grammar);
    if (reader.takeSymbol("?") === undefined) return condition;
    // `a ?? b` is one symbol for the lexer, so that a single `?` here is always the ternary.
    const then = parseExpression(reader, grammar);
    reader.expectSymbol(":");
    const otherwise = parseExpression(reader, grammar);
    return { kind: "conditional", condition, then, otherwise, ...reader.spanFrom(condition) };
  });
}

function parseCoalesce(reader: TokenReader, grammar: Grammar): Expression {
  return reader.chain(() => {
    let left = parseLogical(reader, grammar, "OR");
    while (reader.takeSymbol("??") !== undefined) {
      reader.deepen(reader.peek());
      const right = parseLogical(reader, grammar, "OR");
      left = { kind: "binary", operator: "??", left, right, ...reader.spanFrom(left) };
    }
    return left;
  });
}

function parseLogical(reader: TokenReader, grammar: Grammar, operator: LogicalNode["operator"]): Expression {
  const operand = (): Expression =>
    operator === "OR" ? parseLogical(reader, grammar, "AND") : parsePredicate(reader, grammar);
  const first = operand();
  const operands = [first];
  while (reader.takeWord(operator) !== undefined) operands.push(operand());
  return operands.length === 1 ? first : { kind: "logical", operator, operands, ...reader.spanFrom(first) };
}

/** Parses `x [NOT] IN (…)`, `x [NOT] BETWEEN … AND …`, `x [NOT] LIKE … [ESCAPE …]`, or just `x`. */
function parsePredicate(reader: TokenReader, grammar: Grammar): Expression {
  const value = parseBinary(reader, grammar, 0);
  const negated = reader.isWord("NOT") && reader.next() !== undefined;
  const predicate = parsePredicateTail(reader, grammar, value);
  if (predicate === undefined) return negated ? reader.fail() : value;
  return negated
    ? { kind: "unary", operator: "NOT", operand: predicate, ...reader.spanFrom(value) }
    : predicate;
}

function parsePredicateTail(
  reader: TokenReader,
  grammar: Grammar,
  value: Expression,
): Expression | undefined {
  if (reader.takeWord("IN") !== undefined) {
    reader.expectSymbol("(");
    const items = parseList(reader, () => parseExpression(reader, grammar));
    reader.expectSymbol(")");
    return { kind: "in", value, items, ...reader.spanFrom(value) };
  }
  if (reader.takeWord("BETWEEN") !== undefined) {
    const low = parseBinary(reader, grammar, 0);
    reader.expectWord("AND");
    const high = parseBinary(reader, grammar, 0);
    return { kind: "between", value, low, high, ...reader.spanFrom(value) };
  }
  if (reader.takeWord("LIKE") !== undefined) {
    const pattern = parseBinary(reader, grammar, 0);
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
function parseBinary(reader: TokenReader, grammar: Grammar, loosest: number): Expression {
  return reader.chain(() => {
    let left = parseUnary(reader, grammar);
    for (;;) {
      const token = reader.peek();
      const found = token.kind === "symbol" ? BINARY_OPERATORS.get(token.text) : undefined;
      if (found === undefined || found.level < loosest) return left;
      reader.next();
      reader.deepen(token);
      const right = parseBinary(reader, grammar, found.level + 1);
      left = { kind: "binary", operator: found.operator, left, right, ...reader.spanFrom(left) };
    }
  });
}

function parseUnary(reader: TokenReader, grammar: Grammar): Expression {
  const token = reader.peek();
  for (const operator of ["-", "+", "~"] as const) {
    if (reader.takeSymbol(operator) !== undefined) {
      const operand = reader.nested(() => parseUnary(reader, grammar));
      return { kind: "unary", operator, operand, ...reader.spanFrom(token) };
    }
  }
  if (reader.takeWord("NOT") !== undefined) {
    const operand = reader.nested(() => parseUnary(reader, grammar));
    return { kind: "unary", operator: "NOT", operand, ...reader.spanFrom(token) };
  }
  return parsePrimary(reader, grammar);
}
