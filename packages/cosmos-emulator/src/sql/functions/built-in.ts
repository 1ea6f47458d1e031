/** The type of a built-in function of the query language. The families beside this file list them. */
import type { Value } from "../values/value.ts";

export interface BuiltIn {
  /** In upper case; names are found without regard to case. */
  readonly name: string;
  readonly minArgs: number;
  readonly maxArgs: number;
  /** Whether SQLite may compute a call of constants once, before it looks at any row. */
  readonly deterministic: boolean;
  compute(...args: readonly Value[]): Value;
}

/** Defines a deterministic function. `arity` is the number of arguments, or the least and the greatest. */
export function define(
  name: string,
  arity: number | readonly [number, number],
  compute: (...args: readonly Value[]) => Value,
): BuiltIn {
  const [minArgs, maxArgs] = typeof arity === "number" ? [arity, arity] : arity;
  return { name, minArgs, maxArgs, deterministic: true, compute };
}
