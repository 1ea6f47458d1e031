/** Documents of mixed types under few names, so that random paths meet something, and values that are equal or nearly so. */
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../../../src/protocol/json.ts";

/** The last two cannot stand in a path of SQLite as they are, or need quotes in a query. */
export const NAMES = ["a", "b", "n", "list", "k v", 'd"q'] as const;

/** Few, so that random values are often equal, or of one type and next to each other. */
const common: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  ...[null, true, false, 0, 1, 2, 2.5, -1, "a", "ab", "b"],
);

const rare: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  ...[-2.5, 10, 1e21, 9007199254740991, "", "A", "1", "true", "\uffee", "𝒳", "aé", 'q"', "\\", "%"],
);

export const scalar: fc.Arbitrary<JsonValue> = fc.oneof({ arbitrary: common, weight: 5 }, rare);

const element = fc.oneof(
  { arbitrary: scalar, weight: 3 },
  fc.array(scalar, { maxLength: 2 }),
  fc.record({ a: scalar, n: scalar }, { requiredKeys: [] }),
);

/**
 * Values as they are stored, or given as parameters. Property names are sorted, because in which order an object has
 * them is no part of its value.
 */
export const anyValue: fc.Arbitrary<JsonValue> = fc.oneof(
  { arbitrary: scalar, weight: 6 },
  { arbitrary: fc.array(element, { maxLength: 4 }), weight: 2 },
  fc.record({ a: element, b: scalar, n: scalar }, { requiredKeys: [] }),
);

const numbers = fc.constantFrom<JsonValue>(-1, 0, 1, 2, 2.5);
const texts = fc.constantFrom<JsonValue>("", "a", "ab", "b", "\uffee", "𝒳");
const flags = fc.constantFrom<JsonValue>(null, true, false);

/** Values that a property mostly has. */
export const TYPICAL: Readonly<Record<(typeof NAMES)[number], fc.Arbitrary<JsonValue>>> = {
  a: texts,
  b: scalar,
  n: numbers,
  list: fc.array(element, { minLength: 1, maxLength: 4 }),
  "k v": fc.oneof(flags, numbers),
  'd"q': scalar,
};

const ABSENT = Symbol("absent");

/** Mostly what is typical, sometimes anything, sometimes not there. */
function property(name: (typeof NAMES)[number]): fc.Arbitrary<JsonValue | typeof ABSENT> {
  const usual = { arbitrary: TYPICAL[name], weight: 6 };
  return fc.oneof(usual, { arbitrary: anyValue, weight: 2 }, fc.constant(ABSENT));
}

const properties = fc
  .tuple(...NAMES.map(property))
  .map((values) => NAMES.map((name, at) => [name, values[at]]).filter(([, value]) => value !== ABSENT))
  .map((entries) => Object.fromEntries(entries) as JsonObject);

/** Documents in the order of their insertion, with different ids. */
export const documents: fc.Arbitrary<readonly JsonObject[]> = fc
  .array(properties, { minLength: 1, maxLength: 8 })
  .map((bodies) => bodies.map((body, at) => ({ id: String(at), ...body })));
