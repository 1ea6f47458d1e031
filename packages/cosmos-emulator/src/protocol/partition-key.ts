/** Partition keys: the header that names one, the values inside a document, and the text under which rows lie. */
import { CosmosError } from "./cosmos-error.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { parseJson, writeJson } from "./json-text.ts";
import { valueAt } from "./property-path.ts";
import { numberOf } from "./raw-number.ts";

/** One component; undefined where the property is absent. */
export type PartitionKeyComponent = undefined | null | boolean | number | string;

/** One component for each path of the definition; fewer name a prefix of a hierarchical key. */
export type PartitionKey = readonly PartitionKeyComponent[];

export interface PartitionKeyDefinition {
  /** One path, or up to three for a hierarchical key. */
  readonly paths: readonly string[];
  readonly kind: "Hash" | "MultiHash";
  readonly version: 1 | 2;
  /** The service chose the key itself: documents may lack the property, and the header is `[]`. */
  readonly systemKey?: boolean;
}

/** The header's value for a document that lacks the property. */
const ABSENT = "{}";

/** Writes the canonical text under which rows are stored: a JSON array, `{}` for an absent component. */
export function partitionKeyText(components: PartitionKey): string {
  const [only] = components;
  if (components.length === 1 && typeof only === "string") return `[${JSON.stringify(only)}]`;
  return `[${components.map((component) => (component === undefined ? ABSENT : JSON.stringify(component))).join()}]`;
}

/** Reads `x-ms-documentdb-partitionkey`, already decoded to text; 400 if it is malformed. */
export function parsePartitionKeyHeader(header: string): PartitionKey {
  let values: JsonValue;
  try {
    values = parseJson(header);
  } catch (cause) {
    throw malformedHeader(header, cause);
  }
  if (!Array.isArray(values)) throw malformedHeader(header);
  return values.map((value: JsonValue) => {
    const component = componentOf(value);
    if (component === NOT_A_KEY) throw malformedHeader(header);
    return component;
  });
}

/**
 * Reads the key of a document; 400 if a component is an array or a filled object.
 * @param paths Those of the definition, as names of properties.
 */
export function partitionKeyOf(document: JsonObject, paths: readonly (readonly string[])[]): PartitionKey {
  return paths.map((names) => {
    const component = componentOf(valueAt(document, names));
    if (component === NOT_A_KEY) {
      throw CosmosError.badRequest(
        `The partition key /${names.join("/")} holds an object or an array. Store a string, a number, a boolean or null there.`,
      );
    }
    return component;
  });
}

/** Completes a key: in a container whose key the service chose, an empty one stands for the absent one. */
export function completeKey(key: PartitionKey, definition: PartitionKeyDefinition): PartitionKey {
  return key.length === 0 && definition.systemKey === true ? definition.paths.map(() => undefined) : key;
}

const NOT_A_KEY = Symbol("not a key");

function componentOf(value: JsonValue | undefined): PartitionKeyComponent | typeof NOT_A_KEY {
  if (value === null || typeof value !== "object") return Object.is(value, -0) ? 0 : value;
  const number = numberOf(value);
  if (number !== undefined) return number;
  return writeJson(value) === ABSENT ? undefined : NOT_A_KEY;
}

function malformedHeader(header: string, cause?: unknown): CosmosError {
  return CosmosError.badRequest(
    `The partition key ${header} supplied in x-ms-documentdb-partitionkey is invalid. Send a JSON array such as ["value"].`,
    { cause },
  );
}
