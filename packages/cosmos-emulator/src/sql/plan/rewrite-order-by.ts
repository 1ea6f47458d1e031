/** ORDER BY over several partitions: each row carries its order values, by which clients merge. */
import { printExpression, printFrom, printOrderItem } from "../syntax/print.ts";
import type { Select } from "../syntax/tree.ts";
import { namedItems } from "../translate/projection.ts";

/** Clients put `true` here, or a comparison with which they resume. */
const FILTER_PLACEHOLDER = "{documentdb-formattableorderbyquery-filter}";

/**
 * Rewrites a query with ORDER BY. `rows` is the number of rows of each partition that can be needed; all, if
 * undefined.
 */
export function rewriteOrderBy(select: Select, rows: { top?: number; limit?: number }): string {
  const { from, where } = select;
  const root = from === undefined ? "c" : rootName(select);
  const items = select.orderBy.map(({ expression }) => `{"item": ${printExpression(expression)}}`);
  const top = rows.top === undefined ? "" : `TOP ${rows.top} `;
  const filter = where === undefined ? "" : `(${printExpression(where)}) AND `;
  return [
    `SELECT ${top}${root}._rid, [${items.join(", ")}] AS orderByItems, ${payload(select, root)} AS payload`,
    ...(from === undefined ? [] : [`FROM ${printFrom(from)}`]),
    `WHERE ${where === undefined ? "" : "("}${filter}(${FILTER_PLACEHOLDER})${where === undefined ? "" : ")"}`,
    `ORDER BY ${select.orderBy.map(printOrderItem).join(", ")}`,
    ...(rows.limit === undefined ? [] : [`OFFSET 0 LIMIT ${rows.limit}`]),
  ].join("\n");
}

/** Finds the name of the document. */
function rootName(select: Select): string {
  const source = select.from?.source;
  const of = source?.of;
  return source?.alias ?? (of?.kind === "identifier" ? of.name : "c");
}

function payload(select: Select, root: string): string {
  const { projection } = select;
  switch (projection.kind) {
    case "star":
      return root;
    case "value":
      return printExpression(projection.expression);
    case "list": {
      const entries = namedItems(projection.items).map(
        ({ name, expression }) => `${JSON.stringify(name)}: ${printExpression(expression)}`,
      );
      return `{${entries.join(", ")}}`;
    }
  }
}
