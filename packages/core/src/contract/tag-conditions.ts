/** Conditions on tags: their checks, and whether a tag meets one. */
import { type OptionList, optionList, shown } from "../options/option-list.ts";
import type { Tags, TagValue } from "../wire/tags.ts";
import { checkNames, refusal } from "./argument-checks.ts";
import type { TagConditions, TagRange } from "./queries.ts";
import { keyFault, MAX_TAGS, ownEntries, valueFault } from "./tag-limits.ts";

const RANGE: OptionList = optionList<TagRange>({ gt: true, gte: true, lt: true, lte: true });

/** `invalid-input` unless they are conditions that tags can meet. */
export function checkTagConditions(operation: string, conditions: TagConditions | undefined): void {
  if (conditions === undefined) return;
  const entries = ownEntries(conditions);
  if (entries === undefined)
    throw refusal(operation, 'tags must be a plain object, such as { tenant: "acme", priority: { gte: 2 } }');
  if (entries.length > MAX_TAGS)
    throw refusal(operation, `tags has ${entries.length} conditions; give at most ${MAX_TAGS}`);
  for (const [key, condition] of entries) {
    const fault = keyFault(key) ?? (isObject(condition) ? undefined : valueFault(key, condition));
    if (condition === undefined)
      throw refusal(operation, `tags: ${shown(key)} is undefined; leave it out to have no condition on it`);
    if (fault !== undefined) throw refusal(operation, `tags: ${fault.message}`);
    if (isObject(condition)) checkRange(operation, key, condition);
  }
}

function checkRange(operation: string, key: string, range: TagRange): void {
  const what = `tags: the range of ${shown(key)}`;
  checkNames(operation, what, range, RANGE);
  const bounds = boundsOf(range);
  const kinds = new Set(bounds.map(({ value }) => typeof value));
  const [kind] = kinds;
  if (kinds.size !== 1 || (kind !== "number" && kind !== "string"))
    throw refusal(
      operation,
      `${what} must have bounds (gt, gte, lt, lte) that are all numbers or all strings`,
    );
  for (const { value } of bounds) {
    const fault = valueFault(key, value);
    if (fault !== undefined) throw refusal(operation, `tags: ${fault.message}`);
  }
}

function isObject(condition: unknown): condition is TagRange {
  return typeof condition === "object" && condition !== null;
}

/** A bound of a range, as an operator of SQL and of JavaScript. */
export interface TagBound {
  readonly than: ">" | ">=" | "<" | "<=";
  readonly value: string | number;
}

const OPERATORS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** The bounds of a range. */
export function boundsOf(range: TagRange): readonly TagBound[] {
  return Object.entries(OPERATORS).flatMap(([name, than]) => {
    const value = range[name as keyof TagRange];
    return value === undefined ? [] : [{ than, value }];
  });
}

/** The exact conditions, and the ranges. */
export function tagConditionsOf(conditions: TagConditions = {}): {
  readonly exact: readonly (readonly [key: string, value: TagValue])[];
  readonly ranges: readonly (readonly [key: string, range: TagRange])[];
} {
  const exact: [string, TagValue][] = [];
  const ranges: [string, TagRange][] = [];
  for (const [key, condition] of Object.entries(conditions)) {
    if (isObject(condition)) ranges.push([key, condition]);
    else exact.push([key, condition]);
  }
  return { exact, ranges };
}

/** Whether the tags meet all conditions. */
export function meetsTags(tags: Tags = {}, conditions: TagConditions = {}): boolean {
  const { exact, ranges } = tagConditionsOf(conditions);
  return (
    exact.every(([key, value]) => Object.hasOwn(tags, key) && tags[key] === value) &&
    ranges.every(([key, range]) => Object.hasOwn(tags, key) && isWithin(tags[key], range))
  );
}

function isWithin(value: TagValue | undefined, range: TagRange): boolean {
  return boundsOf(range).every(({ than, value: bound }) => {
    if (value === undefined || typeof value === "boolean" || typeof value !== typeof bound) return false;
    const order = compared(value, bound);
    if (than === ">") return order > 0;
    if (than === ">=") return order >= 0;
    return than === "<" ? order < 0 : order <= 0;
  });
}

/** Texts by code points, as their UTF-8 is ordered; JavaScript orders UTF-16 units. */
function compared(a: string | number, b: string | number): number {
  if (typeof a === "number" || typeof b === "number") return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
