/**
 * Comparisons of a path with a constant as plain SQL that an index on the path can serve. Each condition is
 * NULL or 0 where the comparison is not true, and its negation likewise where it is not false: no comparison
 * across types except equality, which is false there.
 */
import type { JsonValue } from "../../protocol/json.ts";
import type { ComparisonOperator } from "../syntax/tree.ts";
import { TYPE_RANKS, typeRank } from "../values/order.ts";
import { type Value, writeNumber } from "../values/value.ts";
import { extractRank, extractScalar, isPlain } from "./json-path.ts";
import type { Path } from "./path-of.ts";
import { balanced, bind, raw, type Sql, sql } from "./sql-text.ts";

/** A condition that holds for no row: 0 is false and, as no comparison of undefined is either, `fails` alike. */
export const NEVER: Sql = raw("0");

const INVERSE: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  "=": "!=",
  "!=": "=",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};

/** The operator with its sides exchanged. */
export const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** Writes the rank of the path's type, as SQL; or undefined for names that SQLite's paths cannot hold. */
export function rankOf(path: Path): Sql | undefined {
  return path.steps.every(isPlain) ? extractRank(path.base, path.steps) : undefined;
}

/**
 * Writes a condition that holds where `path operator constant` is `truth`; undefined if only a registered function
 * can tell.
 */
export function compareToConstant(
  path: Path,
  operator: ComparisonOperator,
  constant: Value,
  truth: boolean,
): Sql | undefined {
  const rank = rankOf(path);
  if (constant === undefined) return NEVER;
  if (rank === undefined) return undefined;
  const wanted = truth ? operator : INVERSE[operator];
  if (wanted === "=" || wanted === "!=") {
    const equal = equals(path, rank, constant);
    return equal && (wanted === "=" ? equal : sql`NOT (${equal})`);
  }
  if (constant === null || typeof constant === "boolean") return ordersSimple(rank, wanted, constant);
  const scalar = bindScalar(constant);
  return scalar && sql`(${rank} = ${rankLiteral(constant)} AND ${scalarOf(path)} ${raw(wanted)} ${scalar})`;
}

function equals(path: Path, rank: Sql, constant: JsonValue): Sql | undefined {
  const sameType = sql`${rank} = ${rankLiteral(constant)}`;
  if (constant === null || typeof constant === "boolean") {
    // The type says it all; the value lets an index continue with the next column.
    const scalar = constant === null ? raw("IS NULL") : raw(`= ${Number(constant)}`);
    return sql`(${sameType} AND ${scalarOf(path)} ${scalar})`;
  }
  const scalar = bindScalar(constant);
  return scalar && sql`(${sameType} AND ${scalarOf(path)} = ${scalar})`;
}

/** Compares null and booleans: null has no order but with itself; false comes before true. */
function ordersSimple(rank: Sql, operator: ComparisonOperator, constant: null | boolean): Sql {
  if (constant === null) {
    return operator === "<=" || operator === ">=" ? sql`${rank} = ${rankLiteral(null)}` : NEVER;
  }
  return sql`(${rank} IN (2, 3) AND ${rank} ${raw(operator)} ${rankLiteral(constant)})`;
}

/** Writes `path IN (constants)`. One list for each type, so that a list of strings alone is one index search. */
export function oneOfConstants(path: Path, constants: readonly Value[]): Sql | undefined {
  const rank = rankOf(path);
  if (rank === undefined) return undefined;
  const alternatives: Sql[] = [];
  for (const type of ["string", "number"] as const) {
    const scalars = constants.filter((constant) => typeof constant === type);
    if (scalars.some((scalar) => bindScalar(scalar ?? null) === undefined)) return undefined;
    if (scalars.length > 0) {
      const all = sql`(SELECT value FROM json_each(${bind(JSON.stringify(scalars))}))`;
      const is = scalars.length === 1 ? sql`= ${bindScalar(scalars[0] ?? null) ?? NEVER}` : sql`IN ${all}`;
      alternatives.push(sql`(${rank} = ${raw(String(TYPE_RANKS[type]))} AND ${scalarOf(path)} ${is})`);
    }
  }
  for (const constant of constants) {
    if (constant === null || typeof constant === "boolean") {
      alternatives.push(sql`${rank} = ${rankLiteral(constant)}`);
    } else if (typeof constant === "object") {
      return undefined;
    }
  }
  return alternatives.length === 0 ? NEVER : balanced(alternatives, "OR");
}

/** Writes `STARTSWITH(path, prefix)` as a range. */
export function startsWith(path: Path, prefix: string, truth: boolean): Sql | undefined {
  const rank = rankOf(path);
  const from = bindScalar(prefix);
  if (rank === undefined || from === undefined) return undefined;
  const end = endOfPrefix(prefix);
  const value = scalarOf(path);
  const text = sql`${rank} = ${raw(String(TYPE_RANKS.string))}`;
  if (end === undefined) {
    return truth ? sql`(${text} AND ${value} >= ${from})` : sql`(${text} AND ${value} < ${from})`;
  }
  return truth
    ? sql`(${text} AND ${value} >= ${from} AND ${value} < ${bind(end)})`
    : sql`(${text} AND (${value} < ${from} OR ${value} >= ${bind(end)}))`;
}

/** Finds the least string that is greater than all with this prefix; undefined if there is none. */
function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last < 0x10ffff) {
      // The code points of surrogates are no characters.
      points.push(last === 0xd7ff ? 0xe000 : last + 1);
      return String.fromCodePoint(...points);
    }
  }
  return undefined;
}

function scalarOf(path: Path): Sql {
  return extractScalar(path.base, path.steps);
}

function rankLiteral(constant: JsonValue): Sql {
  return raw(String(typeRank(constant)));
}

/**
 * Binds the constant as SQLite compares it with what it reads out of a document. Undefined where the two could differ
 * from Cosmos DB, which compares doubles: SQLite keeps 64-bit integers exact, and may end a string at U+0000. A
 * fraction is parsed by SQLite, as the stored one is, because older versions round the last digit differently from
 * JavaScript.
 */
export function bindScalar(constant: JsonValue): Sql | undefined {
  if (typeof constant === "string") return constant.includes("\0") ? undefined : bind(constant);
  if (typeof constant !== "number" || Math.abs(constant) > Number.MAX_SAFE_INTEGER) return undefined;
  return Number.isInteger(constant) ? bind(constant) : sql`json_extract(${bind(writeNumber(constant))}, '$')`;
}
