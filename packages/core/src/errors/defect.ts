/**
 * Recognises a mistake of orchestration code: a call that the guard refused, or a built-in error that the language throws.
 * Classes of a program that extend these are its own failures, and so is what was restored from history.
 */
import { types } from "node:util";
import { DuroxideError } from "./duroxide-error.ts";
import { attempt } from "./thrown-value.ts";

export function isDefect(thrown: unknown): boolean {
  if (!types.isNativeError(thrown)) return false;
  const name = builtInName(thrown);
  if (name !== undefined) return DEFECTS.has(name);
  return DuroxideError.is(thrown, "nondeterministic-call");
}

const DEFECTS: ReadonlySet<string> = new Set(["ReferenceError", "TypeError", "SyntaxError", "RangeError"]);

/** The name of its class, if that is a built-in one, of any realm. */
function builtInName(error: Error): string | undefined {
  return attempt(() => {
    const { constructor: itsClass } = Object.getPrototypeOf(error) as { readonly constructor: unknown };
    return BUILT_IN.exec(Function.prototype.toString.call(itsClass))?.[1];
  });
}

const BUILT_IN = /^function (\w+)\(\)\s*\{\s*\[native code\]\s*\}$/;
