/** SELECT: the row that a query answers, as JSON text. */
import { queryError, type Span } from "../syntax/query-error.ts";
import type { Expression, Select, SelectItem } from "../syntax/tree.ts";
import type { Rows } from "./from.ts";
import { objectText } from "./row-text.ts";
import type { Sql } from "./sql-text.ts";
import type { Translator } from "./translator.ts";

/** Translates the row. NULL only for SELECT VALUE of something undefined. */
export function translateProjection(
  select: Select,
  rows: Rows,
  translator: Translator = rows.translator,
): Sql {
  const { projection } = select;
  switch (projection.kind) {
    case "star":
      return star(select, projection.span, rows);
    case "value":
      return translator.value(projection.expression);
    case "list":
      return objectText(
        namedItems(projection.items).map(({ name, expression }) => ({
          name,
          value: translator.value(expression),
        })),
      );
  }
}

function star(select: Select, span: Span, rows: Rows): Sql {
  if (rows.first === undefined || (select.from?.joins.length ?? 0) > 0) {
    throw queryError("SC2100", "'SELECT *' is only valid with a single input set.", span);
  }
  return rows.translator.value({ ...span, kind: "identifier", name: rows.first });
}

/**
 * Names the items: the alias, the last name of the path, or $1, $2, … for the others in turn. Throws CosmosError 400
 * for two columns with one name.
 */
export function namedItems(
  items: readonly SelectItem[],
): readonly { readonly name: string; readonly expression: Expression }[] {
  let unnamed = 0;
  const names = new Set<string>();
  return items.map(({ alias, expression }) => {
    const known = alias ?? nameOf(expression);
    unnamed += known === undefined ? 1 : 0;
    const name = known ?? `$${unnamed}`;
    if (names.has(name)) {
      const message = `The name '${name}' stands for two columns. Give one of them another name with AS.`;
      throw queryError("SC2022", message, expression);
    }
    names.add(name);
    return { name, expression };
  });
}

function nameOf(expression: Expression): string | undefined {
  if (expression.kind === "identifier") return expression.name;
  const index = expression.kind === "member" ? expression.index : undefined;
  return index?.kind === "literal" && typeof index.value === "string" ? index.value : undefined;
}
