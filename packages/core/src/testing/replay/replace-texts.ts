/** A predefined redaction: strings become `text-1`, `text-2`, …; other values are kept. */
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import { parseJson, writeJson } from "../../wire/json-text.ts";
import type { Redact } from "./redact.ts";

/** The options of `replaceTexts`. */
export interface ReplaceTextsOptions {
  /** Strings on which orchestration code branches, such as the values of a `kind`. */
  readonly keep?: readonly string[];
}

const OPTIONS: OptionList = optionList<ReplaceTextsOptions>({ keep: true });

/**
 * A redaction that replaces every text in JSON payloads, at any depth, and whole payloads that are not JSON. Keys,
 * numbers and booleans stay. The same text gets the same replacement for as long as the same redaction is used.
 */
export function replaceTexts(options: ReplaceTextsOptions = {}): Redact {
  checkOptions("replaceTexts", options, OPTIONS);
  const { keep = [] } = options;
  const replacements = new Map(keep.map((text) => [text, text]));
  const replace = (text: string): string => {
    const known = replacements.get(text);
    if (known !== undefined) return known;
    const replacement = `text-${replacements.size - keep.length + 1}`;
    replacements.set(text, replacement);
    return replacement;
  };
  return (text) => {
    const value = jsonOf(text);
    return value === undefined ? replace(text) : writeJson(replaceAll(value.json, replace));
  };
}

function jsonOf(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: parseJson(text) };
  } catch {
    return undefined;
  }
}

function replaceAll(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((inner: unknown) => replaceAll(inner, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceAll(inner, replace)]));
}
