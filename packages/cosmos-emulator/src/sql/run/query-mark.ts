/** Marks of queries in continuations: what one query may continue of another. */
import { createHash } from "node:crypto";
import { printSelect } from "../syntax/print.ts";
import type { Query, Select } from "../syntax/tree.ts";

/**
 * Returns a mark, equal for texts that may continue each other. Microsoft's clients resume a rewritten ORDER BY query
 * with another filter in the place of the placeholder, so that in those WHERE does not count.
 */
export function markOf(query: Query): string {
  const { where: _where, ...rest } = query.select;
  const text = isOrderByRewrite(query.select) ? printSelect(rest) : query.text;
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

/**
 * Tells whether the query has the form in which clients sort over several partition ranges: `SELECT c._rid, [{"item":
 * …}] AS orderByItems, … AS payload` (docs/reference/cosmos-protocol.md §1.8). Among rows with equal order values
 * those clients expect the order of `_rid`, descending as soon as one ORDER BY item is: they skip by it when they
 * resume.
 */
export function isOrderByRewrite(select: Select): boolean {
  if (select.projection.kind !== "list" || select.orderBy.length === 0) return false;
  const [rid, items, payload, ...more] = select.projection.items;
  const index = rid?.expression.kind === "member" ? rid.expression.index : undefined;
  return (
    index?.kind === "literal" &&
    index.value === "_rid" &&
    items?.alias === "orderByItems" &&
    payload?.alias === "payload" &&
    more.length === 0
  );
}
