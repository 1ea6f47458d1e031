/**
 * The writing of a tree as query text: for rewritten queries, and to compare expressions. What is printed parses to
 * the same tree; parentheses stand wherever precedence could matter.
 */
import { isReserved } from "./token.ts";
import type { Count, Expression, From, OrderItem, Projection, Select, Source } from "./tree.ts";

/** Prints a whole query, with one clause in each line. */
export function printSelect(select: Select): string {
  const lines = [
    ["SELECT", select.distinct ? "DISTINCT" : "", printTop(select.top), printProjection(select.projection)]
      .filter((part) => part !== "")
      .join(" "),
  ];
  if (select.from !== undefined) lines.push(`FROM ${printFrom(select.from)}`);
  if (select.where !== undefined) lines.push(`WHERE ${printExpression(select.where)}`);
  if (select.groupBy.length > 0) lines.push(`GROUP BY ${select.groupBy.map(printExpression).join(", ")}`);
  if (select.orderBy.length > 0) lines.push(`ORDER BY ${select.orderBy.map(printOrderItem).join(", ")}`);
  if (select.page !== undefined) {
    lines.push(`OFFSET ${printCount(select.page.offset)} LIMIT ${printCount(select.page.limit)}`);
  }
  return lines.join("\n");
}

function printTop(top: Count | undefined): string {
  return top === undefined ? "" : `TOP ${printCount(top)}`;
}

function printCount(count: Count): string {
  return count.kind === "parameter" ? count.name : String(count.value);
}

function printProjection(projection: Projection): string {
  switch (projection.kind) {
    case "star":
      return "*";
    case "value":
      return `VALUE ${printExpression(projection.expression)}`;
    case "list":
      return projection.items
        .map(
          ({ expression, alias }) =>
            printExpression(expression) + (alias === undefined ? "" : ` AS ${alias}`),
        )
        .join(", ");
  }
}

export function printFrom(from: From): string {
  return [from.source, ...from.joins].map(printSource).join(" JOIN ");
}

function printSource(source: Source): string {
  const of = source.of.kind === "select" ? `(${printSelect(source.of.select)})` : printExpression(source.of);
  if (source.alias === undefined) return of;
  return source.iterate ? `${source.alias} IN ${of}` : `${of} AS ${source.alias}`;
}

export function printOrderItem(item: OrderItem): string {
  return printExpression(item.expression) + (item.descending ? " DESC" : "");
}

/** Prints an expression. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return (
        expression.digits ?? (expression.value === undefined ? "undefined" : JSON.stringify(expression.value))
      );
    case "parameter":
    case "identifier":
      return expression.name;
    case "member":
      return printMember(expression.object, expression.index);
    case "array":
      return `[${expression.items.map(printExpression).join(", ")}]`;
    case "object":
      return `{${expression.entries.map(({ name, value }) => `${JSON.stringify(name)}: ${printExpression(value)}`).join(", ")}}`;
    case "unary":
      return `(${expression.operator} ${printExpression(expression.operand)})`;
    case "binary":
      return `(${printExpression(expression.left)} ${expression.operator} ${printExpression(expression.right)})`;
    case "logical":
      return `(${expression.operands.map(printExpression).join(` ${expression.operator} `)})`;
    case "in":
      return `(${printExpression(expression.value)} IN (${expression.items.map(printExpression).join(", ")}))`;
    case "between":
      return `(${printExpression(expression.value)} BETWEEN ${printExpression(expression.low)} AND ${printExpression(expression.high)})`;
    case "like":
      return `(${printExpression(expression.value)} LIKE ${printExpression(expression.pattern)}${printEscape(expression.escape)})`;
    case "conditional":
      return `(${printExpression(expression.condition)} ? ${printExpression(expression.then)} : ${printExpression(expression.otherwise)})`;
    case "call":
      return `${expression.name}(${expression.args.map(printExpression).join(", ")})`;
    case "subquery":
      return `${expression.form === "scalar" ? "" : expression.form.toUpperCase()}(${printSelect(expression.select)})`;
  }
}

function printEscape(character: string | undefined): string {
  return character === undefined ? "" : ` ESCAPE ${JSON.stringify(character)}`;
}

function printMember(object: Expression, index: Expression): string {
  const base = printExpression(object);
  const name = index.kind === "literal" ? index.value : undefined;
  const dotted = typeof name === "string" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isReserved(name);
  return dotted ? `${base}.${name}` : `${base}[${printExpression(index)}]`;
}
