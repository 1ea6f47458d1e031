/** Makes SQLite know the functions that translated statements call. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { canonicalText } from "../values/canonical-text.ts";
import { sortKey, valueOfSortKey } from "../values/sort-key.ts";
import { readValue, type Value, writeValue } from "../values/value.ts";
import { builtIns } from "./built-ins.ts";
import { sqlName } from "./called-name.ts";
import { INTERNAL_FUNCTIONS } from "./internal.ts";
import {
  exactResult,
  FALLIBLE_OPERATORS,
  OPERATIONS,
  OPERATOR_NAMES,
  UNARY_NAMES,
  UNARY_OPERATIONS,
} from "./operators.ts";

/** SQLite's own values in and out: mostly JSON text, and NULL for undefined. */
type SqlFunction = (...args: SQLOutputValue[]) => SQLInputValue;

/** The connection's side of its functions. */
export interface Listeners {
  /** Called with what a function throws, because not every version of Node passes it on to the caller of the statement. */
  onFailure(error: unknown): void;
  /** Called for each row of a join; false if the statement has had too many. */
  mayJoin(): boolean;
}

type Define = (name: string, compute: SqlFunction, deterministic?: boolean) => void;

/**
 * Registers the functions that compiled statements call, once for each connection.
 *
 * @param now Milliseconds since the epoch.
 */
export function registerFunctions(
  db: DatabaseSync,
  now: () => number,
  { onFailure, mayJoin }: Listeners,
): void {
  const define: Define = (name, compute, deterministic = true) =>
    db.function(name, { deterministic, varargs: true }, (...args) => {
      try {
        return compute(...args);
      } catch (error) {
        onFailure(error);
        throw error;
      }
    });
  for (const operator of Object.keys(OPERATOR_NAMES) as (keyof typeof OPERATOR_NAMES)[]) {
    define(
      OPERATOR_NAMES[operator],
      (left, right) =>
        exactResult(operator, left, right) ??
        writeValue(OPERATIONS[operator](readValue(left), readValue(right))),
      !FALLIBLE_OPERATORS.has(operator),
    );
  }
  for (const operator of Object.keys(UNARY_NAMES) as (keyof typeof UNARY_NAMES)[]) {
    define(UNARY_NAMES[operator], onValues(UNARY_OPERATIONS[operator]));
  }
  for (const [name, compute] of Object.entries(INTERNAL_FUNCTIONS)) define(name, onValues(compute));
  for (const builtIn of builtIns(now)) {
    define(sqlName(builtIn.name), onValues(builtIn.compute), builtIn.deterministic);
  }
  defineConversions(define);
  define("cosmos_is_element", (key) => (typeof key === "number" && mayJoin() ? 1 : 0), false);
}

function onValues(compute: (...args: readonly Value[]) => Value): SqlFunction {
  return (...args) => writeValue(compute(...args.map(readValue)));
}

/** Functions whose arguments or results are not values as JSON text but SQLite's own. */
function defineConversions(define: Define): void {
  define("cosmos_to_number", (text) => {
    const value = readValue(text);
    return typeof value === "number" ? value : null;
  });
  define("cosmos_from_number", (value) => (typeof value === "number" ? writeValue(value) : null));
  define("cosmos_key", (text) => {
    const value = readValue(text);
    return value === undefined ? null : canonicalText(value);
  });
  define("cosmos_sort_key", (text) => {
    const value = readValue(text);
    return value === undefined ? null : sortKey(value);
  });
  define("cosmos_extreme", (key, greatest) => {
    const defined = key instanceof Uint8Array && greatest instanceof Uint8Array;
    const comparable = defined && valueOfSortKey(greatest) !== undefined;
    return comparable ? writeValue(valueOfSortKey(key)) : null;
  });
}
