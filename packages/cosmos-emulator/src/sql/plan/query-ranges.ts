/** The parts of the space of partition keys that a query can concern, by its conditions on the partition key. */
import type { JsonValue } from "../../protocol/json.ts";
import type { PartitionKeyComponent, PartitionKeyDefinition } from "../../protocol/partition-key.ts";
import { parsePropertyPath } from "../../protocol/property-path.ts";
import { documentPath } from "../paths/paths-of.ts";
import { formatPath } from "../paths/policy-path.ts";
import type { Expression, Query } from "../syntax/tree.ts";
import { constantOf } from "../translate/constant.ts";
import type { Value } from "../values/value.ts";
import type { QueryRange } from "./query-plan.ts";

type Parameters = ReadonlyMap<string, JsonValue>;

/** Largest number of keys that get a range each. */
const MAX_KEYS = 1000;

const EVERYTHING: QueryRange = { min: "", max: "FF", isMinInclusive: true, isMaxInclusive: false };

/**
 * Returns a point for each key that the query names, in order; a range for a prefix of a hierarchical key; or all.
 */
export function queryRanges(
  query: Query,
  parameters: Parameters,
  definition: PartitionKeyDefinition,
  epkOf: (components: readonly PartitionKeyComponent[]) => string,
): readonly QueryRange[] {
  let keys: readonly (readonly PartitionKeyComponent[])[] = [[]];
  for (const path of definition.paths) {
    const values = keysAt(query, formatPath(parsePropertyPath(path)), parameters);
    if (values === undefined || keys.length * values.length > MAX_KEYS) break;
    keys = keys.flatMap((key) => values.map((value) => [...key, value]));
  }
  const depth = keys[0]?.length ?? definition.paths.length;
  const usable = depth === definition.paths.length || (depth > 0 && definition.kind === "MultiHash");
  if (!usable) return [EVERYTHING];
  const points = [...new Set(keys.map((key) => epkOf(key)))].sort();
  return points.map((min) =>
    depth === definition.paths.length
      ? { min, max: min, isMinInclusive: true, isMaxInclusive: true }
      : { min, max: `${min}FF`, isMinInclusive: true, isMaxInclusive: false },
  );
}

/** Finds the values that the condition allows at the path; undefined if it does not name them. */
function keysAt(
  query: Query,
  path: string,
  parameters: Parameters,
): readonly PartitionKeyComponent[] | undefined {
  const { where } = query.select;
  const values = where && allowedValues(where, { query, path, parameters });
  return values?.every(isComponent) ? values : undefined;
}

interface Search {
  readonly query: Query;
  readonly path: string;
  readonly parameters: Parameters;
}

function allowedValues(condition: Expression, search: Search): readonly Value[] | undefined {
  switch (condition.kind) {
    case "logical": {
      const sides = condition.operands.map((operand) => allowedValues(operand, search));
      if (condition.operator === "AND") return sides.find((values) => values !== undefined);
      return sides.every((values) => values !== undefined) ? sides.flat() : undefined;
    }
    case "binary":
      return condition.operator === "="
        ? (comparedWith(condition.left, [condition.right], search) ??
            comparedWith(condition.right, [condition.left], search))
        : undefined;
    case "in":
      return comparedWith(condition.value, condition.items, search);
    default:
      return undefined;
  }
}

function comparedWith(
  side: Expression,
  others: readonly Expression[],
  search: Search,
): readonly Value[] | undefined {
  if (documentPath(side, search.query) !== search.path) return undefined;
  const constants = others.map((other) => constantOf(other, search.parameters));
  return constants.every((constant) => constant !== undefined)
    ? constants.map((constant) => constant.value)
    : undefined;
}

/** Tells whether a value can be in a key. Nothing equals undefined, and no partition key is an array or object. */
function isComponent(value: Value): value is Exclude<PartitionKeyComponent, undefined> {
  return value === null || ["boolean", "number", "string"].includes(typeof value);
}
