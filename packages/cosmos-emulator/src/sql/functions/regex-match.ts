/** REGEXMATCH. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { Value } from "../values/value.ts";
import { type BuiltIn, defineFallible } from "./built-in.ts";
import { RegexError } from "./regex/node.ts";
import { Regex } from "./regex/regex.ts";

export const REGEX_MATCH: readonly BuiltIn[] = [defineFallible("REGEXMATCH", [2, 3], matches)];

/** Modifiers: m and s as in Perl, i for any case, x to ignore white space in the pattern. */
function matches(text: Value, pattern: Value, modifiers: Value = ""): Value {
  if (typeof text !== "string" || typeof pattern !== "string" || typeof modifiers !== "string") {
    return undefined;
  }
  try {
    return compile(pattern, modifiers).matches(text);
  } catch (error) {
    if (error instanceof RegexError) {
      const message = `The pattern of REGEXMATCH cannot be used: ${error.message}.`;
      throw CosmosError.badRequest(message, { cause: error });
    }
    throw error;
  }
}

function compile(pattern: string, modifiers: string): Regex {
  if (!/^[msix]*$/.test(modifiers)) throw new RegexError("its modifiers can be m, s, i and x");
  return new Regex(pattern, {
    ignoreCase: modifiers.includes("i"),
    multiline: modifiers.includes("m"),
    dotAll: modifiers.includes("s"),
    extended: modifiers.includes("x"),
  });
}
