/** What a built-in function of the query language is. The families beside this file list them. */
import type { Value } from "../values/value.ts";

export interface BuiltIn {
  /** In upper case; names are found without regard to case. */
  readonly name: string;
  readonly minArgs: number;
  readonly maxArgs: number;
  /**
   * SQLite computes a deterministic call of constants once, before it looks at any row. That is wrong for
   * functions of time and chance, and for those that can fail: they must do so only where a row reaches them.
   */
  readonly deterministic: boolean;
  /** May throw a CosmosError, which becomes the error of the query. */
  compute(...args: readonly Value[]): Value;
}

/** A function that may throw, see `BuiltIn.deterministic`. */
export function defineFallible(...parts: Parameters<typeof define>): BuiltIn {
  return { ...define(...parts), deterministic: false };
}

/** A deterministic function that does not throw. `arity`: the number of arguments, or the least and the greatest. */
export function define(
  name: string,
  arity: number | readonly [number, number],
  compute: (...args: readonly Value[]) => Value,
): BuiltIn {
  const [minArgs, maxArgs] = typeof arity === "number" ? [arity, arity] : arity;
  return { name, minArgs, maxArgs, deterministic: true, compute };
}
