/** Makes SQLite know the functions that translated statements call. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { canonicalText } from "../values/canonical-text.ts";
import { sortKey, valueOfSortKey } from "../values/sort-key.ts";
import { readValue, type Value, writeValue } from "../values/value.ts";
import { builtIns, sqlName } from "./catalogue.ts";
import { exactResult } from "./exact-arithmetic.ts";
import { internalFunctions } from "./internal.ts";
import { operatorNames, unaryNames } from "./operator-names.ts";
import { fallibleOperators, operations, unaryOperations } from "./operators.ts";

export interface FunctionOptions {
  /** Milliseconds since the epoch, for the functions of the current time. */
  now(): number;
  /** From 0 to 1, for RAND. Math.random if absent. */
  random?(): number;
}

/** Registers the functions that compiled statements call. Once for each connection. */
export function registerFunctions(db: DatabaseSync, options: FunctionOptions): void {
  for (const operator of Object.keys(operatorNames) as (keyof typeof operatorNames)[]) {
    const options = { deterministic: !fallibleOperators.has(operator) };
    db.function(
      operatorNames[operator],
      options,
      (left, right) =>
        exactResult(operator, left, right) ??
        writeValue(operations[operator](readValue(left), readValue(right))),
    );
  }
  for (const operator of Object.keys(unaryNames) as (keyof typeof unaryNames)[]) {
    register(db, unaryNames[operator], unaryOperations[operator]);
  }
  for (const [name, compute] of Object.entries(internalFunctions)) {
    register(db, name, compute);
  }
  const random = options.random ?? Math.random;
  for (const builtIn of builtIns({ now: options.now, random })) {
    register(db, sqlName(builtIn.name), builtIn.compute, builtIn.deterministic);
  }
  registerConversions(db);
}

type Compute = (...args: readonly Value[]) => Value;

function register(db: DatabaseSync, name: string, compute: Compute, deterministic = true): void {
  db.function(
    name,
    { deterministic, varargs: true },
    (...args: SQLOutputValue[]): SQLInputValue => writeValue(compute(...args.map(readValue))),
  );
}

/** Functions whose arguments or results are not values as JSON text but SQLite's own. */
function registerConversions(db: DatabaseSync): void {
  const deterministic = { deterministic: true };
  db.function("cosmos_to_number", deterministic, (text) => {
    const value = readValue(text);
    return typeof value === "number" ? value : null;
  });
  db.function("cosmos_from_number", deterministic, (value) =>
    typeof value === "number" ? writeValue(value) : null,
  );
  db.function("cosmos_key", deterministic, (text) => {
    const value = readValue(text);
    return value === undefined ? null : canonicalText(value);
  });
  db.function("cosmos_sort_key", deterministic, (text) => {
    const value = readValue(text);
    return value === undefined ? null : sortKey(value);
  });
  db.function("cosmos_extreme", deterministic, (key, greatest) => {
    const defined = key instanceof Uint8Array && greatest instanceof Uint8Array;
    const comparable = defined && valueOfSortKey(greatest) !== undefined;
    return comparable ? writeValue(valueOfSortKey(key)) : null;
  });
}
