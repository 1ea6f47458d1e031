/** Conditions of patch requests (docs/reference/cosmos-protocol.md §1.5): true or not, for one document. */
import type { JsonValue } from "../../protocol/json.ts";
import { childrenOf } from "../syntax/children.ts";
import { parsePredicate } from "../syntax/parser.ts";
import type { Expression } from "../syntax/tree.ts";
import { from, where } from "../translate/clauses.ts";
import { translateRows } from "../translate/rows.ts";
import { bind, sql } from "../translate/sql-text.ts";
import type { Statements } from "./statements.ts";

/** Whether the condition is true of a document, given as its JSON text. */
export type DocumentTest = (statements: Statements, body: string) => boolean;

/**
 * Compiles `from c where …`, `where …` or a bare condition. Throws CosmosError 400 for what is no condition,
 * when it is compiled or when it is first used.
 */
export function compilePredicate(
  text: string,
  parameters: ReadonlyMap<string, JsonValue> = new Map(),
): DocumentTest {
  const predicate = parsePredicate(text);
  // Without FROM the document has the name that the condition gives it.
  const name = predicate.from ?? (predicate.where && firstName(predicate.where)) ?? "c";
  return (statements, body) => {
    const documents = { table: sql`(SELECT ${bind(body)} AS body, 0 AS seq) AS d`, conditions: [] };
    const rows = translateRows({ ...predicate, from: name }, { parameters, document: name }, documents);
    const exists = sql`SELECT EXISTS (SELECT 1${from(rows.table)}${where(rows.conditions)}) AS holds`;
    return statements.first(exists)["holds"] === 1;
  };
}

function firstName(expression: Expression): string | undefined {
  if (expression.kind === "identifier") return expression.name;
  for (const child of childrenOf(expression)) {
    const name = firstName(child);
    if (name !== undefined) return name;
  }
  return undefined;
}
