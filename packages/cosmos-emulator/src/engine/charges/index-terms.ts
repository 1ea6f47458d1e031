/** The count of the indexed values of an item, with which the charge of a write grows. */
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { isRawNumber } from "../../protocol/raw-number.ts";
import type { IndexingPolicy } from "../definition/indexing-policy.ts";

/**
 * Counts the values at the leaves that the policy covers, elements of arrays each for itself. System properties are
 * not counted.
 */
export function countIndexTerms(document: JsonObject, policy: IndexingPolicy): number {
  if (policy.isOff) return 0;
  return policy.coversAll ? countLeaves(document) : countBelow(document, [], policy);
}

function countLeaves(value: JsonValue): number {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return 1;
  let count = 0;
  const members = value as JsonObject;
  for (const name in members) count += countLeaves(members[name] ?? null);
  return count;
}

function countBelow(value: JsonValue, names: readonly string[], policy: IndexingPolicy): number {
  if (typeof value !== "object" || value === null || isRawNumber(value))
    return policy.isIndexed(names) ? 1 : 0;
  let count = 0;
  if (Array.isArray(value)) {
    const path = [...names, "[]"];
    for (const element of value) count += countBelow(element, path, policy);
    return count;
  }
  const object = value as JsonObject;
  for (const name in object) {
    const member = object[name];
    if (member !== undefined) count += countBelow(member, [...names, name], policy);
  }
  return count;
}
