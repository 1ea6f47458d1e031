/** JSON of what a codec decodes, for display: a codec may make values that JSON cannot hold. */
import { types } from "node:util";

/**
 * A bigint as a text, a Map as its entries, a Set as its members; `undefined` for a value that JSON leaves out. Throws
 * what JSON throws for a cycle, and what a getter or toJSON throws.
 */
export function shownJson(value: unknown, indent?: number): string | undefined {
  return JSON.stringify(value, inJson, indent);
}

function inJson(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  return types.isMap(value) || types.isSet(value) ? [...value] : value;
}
