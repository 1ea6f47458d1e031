/** FROM and JOIN: which rows there are, and what the aliases stand for. */
import { queryError } from "../syntax/query-error.ts";
import type { Expression, From, IdentifierNode, Select, SelectSource, Source } from "../syntax/tree.ts";
import { isPlain } from "./json-path.ts";
import { pathOf } from "./path-of.ts";
import { raw, type Sql, sql } from "./sql-text.ts";
import type { Documents, Translator } from "./translator.ts";

/** The rows of a FROM clause, as parts of a statement. */
export interface Rows {
  readonly translator: Translator;
  readonly tables: readonly Sql[];
  readonly conditions: readonly Sql[];
  /** The order of rows where nothing else decides, outermost source first. */
  readonly order: readonly string[];
  /** The alias of the first source, for `SELECT *`. */
  readonly first: string | undefined;
  /** The documents' columns, if the rows come from documents. */
  readonly documents: { readonly body: string; readonly seq: string } | undefined;
}

/** Translates the rows of a query that pass its filter. */
export function translateRows(select: Select, outer: Translator, documents?: Documents): Rows {
  const rows = translateFrom(select.from, outer, documents);
  return select.where === undefined
    ? rows
    : { ...rows, conditions: [...rows.conditions, rows.translator.holds(select.where)] };
}

/** Translates FROM. `documents` is absent in subqueries, which read what surrounds them. */
export function translateFrom(from: From | undefined, outer: Translator, documents?: Documents): Rows {
  let rows: Rows = {
    translator: outer,
    tables: [],
    conditions: [],
    order: [],
    first: undefined,
    documents: undefined,
  };
  if (from === undefined) return rows;
  const container = documents && containerOf(from.source);
  if (documents !== undefined && from.source.of.kind === "select") {
    rows = readSubquery(from.source, from.source.of, documents, rows);
  } else if (documents !== undefined && container !== undefined) {
    rows = readContainer(from.source, container, documents, rows);
  } else {
    rows = addSource(from.source, rows);
  }
  return from.joins.reduce((joined, join) => addSource(join, joined), rows);
}

/** Finds the identifier at the root of a path: at the start of a query any name means the container. */
function containerOf(source: Source): IdentifierNode | undefined {
  let node = source.of;
  while (node.kind === "member") node = node.object;
  return node.kind === "identifier" ? node : undefined;
}

function readContainer(source: Source, container: IdentifierNode, documents: Documents, rows: Rows): Rows {
  const conditions = documents.conditions;
  const base = { ...rows, tables: [documents.table], conditions, order: [documents.seq], documents };
  const whole = source.of === container && !source.iterate;
  const alias = whole ? (source.alias ?? container.name) : container.name;
  const bound = bindAlias(base, alias, documents.body);
  if (whole) return bound;
  // The container's own name is not visible beside the alias of a path in it.
  const added = addSource(source, bound);
  const aliases = new Map(added.translator.aliases);
  aliases.delete(container.name);
  const own = aliasOf(source);
  const value = added.translator.aliases.get(own);
  if (value !== undefined) aliases.set(own, value);
  return { ...added, translator: rows.translator.within({ aliases }), first: own };
}

/** Reads a subquery over the container: its rows take the place of the documents. */
function readSubquery(source: Source, of: SelectSource, documents: Documents, rows: Rows): Rows {
  const results = rows.translator.rows(of.select, documents);
  const table = sql`(SELECT v AS body, row_number() OVER () AS seq FROM (${results})) AS d`;
  const columns = { body: "d.body", seq: "d.seq" };
  const derived = { ...rows, tables: [table], order: [columns.seq], documents: columns };
  return source.iterate
    ? iterate(source, raw(columns.body), derived)
    : bindAlias(derived, aliasOf(source), columns.body);
}

function addSource(source: Source, rows: Rows): Rows {
  if (source.of.kind === "select") {
    const array = sql`(SELECT '[' || group_concat(v, ',') || ']' FROM (${rows.translator.rows(source.of.select)}))`;
    return iterate(source, array, rows);
  }
  if (source.iterate) return iterate(source, rows.translator.value(source.of), rows);
  const path = pathOf(source.of, rows.translator);
  if (path === undefined || !path.steps.every(isPlain)) {
    throw queryError("SC2100", "A source of FROM or JOIN has to be a path or a subquery.", source);
  }
  const value = rows.translator.value(source.of);
  const conditions = [...rows.conditions, sql`${value} IS NOT NULL`];
  return bindAlias({ ...rows, conditions }, aliasOf(source), value.text);
}

/**
 * Makes one row for each element. json_each gives SQLite's own values, which are written as JSON again; it visits
 * objects and scalars as well, which have no whole numbers as keys. The condition counts the rows (statements.ts).
 */
function iterate(source: Source, array: Sql, rows: Rows): Rows {
  const name = rows.translator.freshName();
  const real = `cosmos_from_number(${name}.value)`;
  const element =
    `(CASE ${name}.type WHEN 'text' THEN json_quote(${name}.value) ` +
    `WHEN 'integer' THEN iif(typeof(${name}.value) = 'integer', CAST(${name}.value AS TEXT), ${real}) ` +
    `WHEN 'real' THEN ${real} WHEN 'array' THEN ${name}.value WHEN 'object' THEN ${name}.value ELSE ${name}.type END)`;
  const joined: Rows = {
    ...rows,
    tables: [...rows.tables, sql`json_each(${array}) AS ${raw(name)}`],
    conditions: [...rows.conditions, raw(`cosmos_is_element(${name}.key)`)],
    order: [...rows.order, `${name}.key`],
  };
  return bindAlias(joined, aliasOf(source), element);
}

/** Finds the alias that a source has or, without AS, the last name of its path. */
function aliasOf(source: Source): string {
  if (source.alias !== undefined) return source.alias;
  const node: Expression | undefined = source.of.kind === "select" ? undefined : source.of;
  const name =
    node?.kind === "identifier"
      ? node.name
      : node?.kind === "member" && node.index.kind === "literal"
        ? node.index.value
        : undefined;
  if (typeof name !== "string") {
    throw queryError("SC2100", "This source needs a name: add AS and an alias.", source);
  }
  return name;
}

function bindAlias(rows: Rows, alias: string, value: string): Rows {
  const aliases = new Map(rows.translator.aliases).set(alias, value);
  return { ...rows, translator: rows.translator.within({ aliases }), first: rows.first ?? alias };
}
