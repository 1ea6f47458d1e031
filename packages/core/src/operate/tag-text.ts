/**
 * Tags as people write and read them: `tenant=acme priority>=2 name="acme corp"`. A value that is a number, true, false
 * or a text in quotes is taken for that, so that `code="3"` is a text; any other is a text. So is a number that would be
 * shown otherwise: long ids would become others, and so would hashes such as 12e4. A key may stand in quotes.
 */
import type { TagConditions, TagRange } from "../contract/queries.ts";
import { storedJson } from "../contract/stored-notes.ts";
import { lossOf } from "../wire/exact-json.ts";
import { isTagValue, type Tags, type TagValue } from "../wire/tags.ts";

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const TERM = new RegExp(String.raw`^(${QUOTED}|[^=<>"\s]+)(>=|<=|=|>|<)(.*)$`, "s");
const TERMS = new RegExp(String.raw`(?:${QUOTED}|[^\s"])+|"`, "g");

const BOUNDS: Readonly<Record<string, keyof TagRange>> = { ">": "gt", ">=": "gte", "<": "lt", "<=": "lte" };

/** The terms of a line, which are separated by spaces. */
export function tagTerms(line: string): readonly string[] {
  return line.match(TERMS) ?? [];
}

/** The conditions of terms such as `tenant=acme` and `priority>=2`. A sentence for what is none. */
export function tagConditions(terms: readonly string[]): TagConditions | string {
  const conditions = new Map<string, TagValue | TagRange>();
  for (const term of terms) {
    const [, key, operator = "", text = ""] = TERM.exec(term) ?? [];
    if (key === undefined) return `a tag is KEY=VALUE, or KEY>=VALUE with >=, >, <= or <; got "${term}"`;
    const name = keyOf(key);
    const before = conditions.get(name);
    const bound = BOUNDS[operator];
    const isRange = bound !== undefined && typeof before === "object" && !(bound in before);
    if (before !== undefined && !isRange) return `the tag ${key} has two values; give one`;
    const value = tagValue(text);
    if (bound === undefined) conditions.set(name, value);
    else if (typeof value === "boolean") return `${term}: a range is of numbers or of texts`;
    else conditions.set(name, { ...(typeof before === "object" && before), [bound]: value });
  }
  return Object.fromEntries(conditions);
}

/** The tags of terms such as `tenant=acme`. A sentence for what is none. */
export function tagsToSet(terms: readonly string[]): Tags | string {
  const tags = new Map<string, TagValue>();
  for (const term of terms) {
    const [, key, operator, text = ""] = TERM.exec(term) ?? [];
    if (key === undefined || operator !== "=") return `a tag is KEY=VALUE; got "${term}"`;
    if (tags.has(keyOf(key))) return `the tag ${key} has two values; give one`;
    tags.set(keyOf(key), tagValue(text));
  }
  return Object.fromEntries(tags);
}

/** Each tag as a term. */
export function shownTags(tags: Tags): readonly string[] {
  return Object.entries(tags).map(([key, value]) => `${shownKey(key)}=${shownValue(value)}`);
}

function keyOf(text: string): string {
  const value = text.startsWith('"') ? storedJson(text) : text;
  return typeof value === "string" ? value : text;
}

function tagValue(text: string): TagValue {
  const value = /^(-?\d|true$|false$|")/.test(text) ? storedJson(text) : undefined;
  if (typeof value === "number") return isWritten(text, value) ? value : text;
  return isTagValue(value) ? value : text;
}

/** Whether the text is how a person writes the number: as it is shown, or with zeros at its end. */
function isWritten(text: string, value: number): boolean {
  return String(value) === text || (/^-?\d+\.\d+$/.test(text) && lossOf(text) === undefined);
}

function shownKey(key: string): string {
  return /^[^=<>"\s]+$/.test(key) ? key : JSON.stringify(key);
}

function shownValue(value: TagValue): string {
  const isPlain = typeof value === "string" && /^[^\s"]*$/.test(value) && tagValue(value) === value;
  return isPlain ? value : JSON.stringify(value);
}
