/** Conditions of patch requests (docs/reference/cosmos-protocol.md §1.5): true or not, for one document. */
import type { JsonValue } from "../../protocol/json.ts";
import { childrenOf } from "../syntax/children.ts";
import { parsePredicate } from "../syntax/parser.ts";
import type { Expression, From } from "../syntax/tree.ts";
import { from, where } from "../translate/clauses.ts";
import { createTranslator } from "../translate/create-translator.ts";
import { translateFrom } from "../translate/from.ts";
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
  const source = predicate.from ?? documentNamed(predicate.where && firstName(predicate.where));
  return (statements, body) => {
    const documents = {
      table: sql`(SELECT ${bind(body)} AS body, 0 AS seq) AS d`,
      body: "d.body",
      seq: "d.seq",
      conditions: [],
    };
    const rows = translateFrom(source, createTranslator(parameters), documents);
    const conditions = [...rows.conditions];
    if (predicate.where !== undefined) conditions.push(rows.translator.holds(predicate.where));
    const exists = sql`SELECT EXISTS (SELECT 1${from(rows.tables)}${where(conditions)}) AS holds`;
    return statements.first(exists)["holds"] === 1;
  };
}

/** Makes the source of a condition without FROM: the document has the name that the condition gives it. */
function documentNamed(name = "c"): From {
  const place = { start: 0, end: 0 };
  const of = { kind: "identifier", name, ...place } as const;
  return { source: { of, iterate: false, ...place }, joins: [] };
}

function firstName(expression: Expression): string | undefined {
  if (expression.kind === "identifier") return expression.name;
  for (const child of childrenOf(expression)) {
    const name = firstName(child);
    if (name !== undefined) return name;
  }
  return undefined;
}
