import type { JsonValue } from "../../protocol/json.ts";
import { isArray, isObject } from "./value.ts";

/** Writes JSON text that is equal for equal values: properties sorted by name. For DISTINCT and GROUP BY. */
export function canonicalText(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (isObject(value)) {
    const parts = Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`);
    return `{${parts.join(",")}}`;
  }
  return JSON.stringify(value);
}
