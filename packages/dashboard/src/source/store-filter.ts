/**
 * The filter of a request as a filter of the store. What is not known is refused: a condition that is left out would
 * choose other instances than the caller means, and an action on many would change them.
 */
import { inState, tagConditions, tagTerms } from "@duroxide-ts/core/operate";
import type { FailureCategory, InstanceFilter } from "@duroxide-ts/core/stores";
import { Refused } from "@duroxide-ts/core/web";
import { choiceIn } from "../http/choice-in.ts";
import { CATEGORIES, FILTER_KEYS, type ListFilter, spanMs } from "../page/shapes/filter.ts";
import { INSTANCE_STATES } from "../page/shapes/states.ts";

/** The conditions of a request, as names and texts. `others` are parameters of the request that are no conditions. */
export function checkedFilter(
  given: Iterable<readonly [string, unknown]>,
  others: readonly string[] = [],
): ListFilter {
  const conditions = new Map<string, string>();
  for (const [key, value] of given) {
    if (others.includes(key)) continue;
    choiceIn("a condition", key, FILTER_KEYS);
    if (typeof value !== "string" || value === "") throw refused(`"${key}" must be a text`);
    if (conditions.has(key)) throw refused(`"${key}" stands there twice`);
    conditions.set(key, value);
  }
  const { state, roots, category }: ListFilter = Object.fromEntries(conditions);
  if (state !== undefined) choiceIn('"state"', state, INSTANCE_STATES);
  if (category !== undefined) choiceIn('"category"', category, CATEGORIES);
  if (roots !== undefined) choiceIn('"roots"', roots, ["1"]);
  return Object.fromEntries(conditions);
}

function refused(message: string): Refused {
  return new Refused(400, "invalid-input", message);
}

export function storeFilter(filter: ListFilter, nowMs: number): InstanceFilter {
  const conditions = conditionsOf(filter, nowMs);
  return filter.state === undefined ? conditions : inState(conditions, filter.state);
}

function conditionsOf(filter: ListFilter, nowMs: number): InstanceFilter {
  const { name, version, tags, schedule, prefix, parent, error, category } = filter;
  return {
    ...(tags !== undefined && { tags: tagsOf(tags) }),
    ...(schedule !== undefined && { schedule }),
    ...(name !== undefined && { name: [name] }),
    ...(version !== undefined && { version: [version] }),
    ...(prefix !== undefined && { idPrefix: prefix }),
    ...(parent !== undefined && { parentId: parent }),
    ...(filter.roots === "1" && { rootsOnly: true }),
    ...(filter.since !== undefined && { createdFromMs: before(nowMs, "since", filter.since) }),
    ...createdTo(filter, nowMs),
    ...(filter.updated !== undefined && { updatedFromMs: before(nowMs, "updated", filter.updated) }),
    ...(filter.idle !== undefined && { updatedToMs: before(nowMs, "idle", filter.idle) }),
    ...(error !== undefined && { errorContains: error }),
    ...(category !== undefined && { failureCategory: [category as FailureCategory] }),
  };
}

function tagsOf(text: string): NonNullable<InstanceFilter["tags"]> {
  const conditions = tagConditions(tagTerms(text));
  if (typeof conditions === "string") throw refused(conditions);
  return conditions;
}

/** Adds the time of the begin: what has not changed since has not begun since, and every store has an index of it. */
function createdTo({ older, idle }: ListFilter, nowMs: number): Pick<InstanceFilter, "createdToMs"> {
  const times = [
    ...(older === undefined ? [] : [before(nowMs, "older", older)]),
    ...(idle === undefined ? [] : [before(nowMs, "idle", idle)]),
  ];
  return times.length === 0 ? {} : { createdToMs: Math.min(...times) };
}

function before(nowMs: number, key: string, text: string): number {
  const span = spanMs(text);
  if (span !== undefined) return nowMs - span;
  throw refused(`"${key}" must be a time such as 30m, 1h or 7d`);
}
