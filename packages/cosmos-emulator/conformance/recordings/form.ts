/** The form of JSON values: the names of members and the kinds of values, and the values that are the meaning of an answer. */

/** Compared by value. */
const MEANINGS: readonly string[] = ["statusCode", "code", "_count", "id"];

/** Members that an endpoint may leave out: the service adds members that clients do not read. */
const MAY_BE_MISSING: readonly string[] = ["_attachments", "additionalErrorInfo"];

/** Lists differences, each a sentence about one place. */
export function* differencesOfForm(
  expected: unknown,
  actual: unknown,
  place = "the body",
): Generator<string> {
  const [wanted, came] = [kindOf(expected), kindOf(actual)];
  if (wanted !== came) {
    yield `${place} is ${came} instead of ${wanted}`;
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    yield* ofLists(expected, actual, place);
  } else if (wanted === "object") {
    yield* ofMembers(expected as Members, actual as Members, place);
  }
}

type Members = Readonly<Record<string, unknown>>;

function* ofLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  place: string,
): Generator<string> {
  if (expected.length !== actual.length)
    yield `${place} has ${actual.length} entries instead of ${expected.length}`;
  else
    for (const [index, each] of expected.entries())
      yield* differencesOfForm(each, actual[index], `${place}[${index}]`);
}

function* ofMembers(expected: Members, actual: Members, place: string): Generator<string> {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    if (MAY_BE_MISSING.includes(name)) continue;
    if (!(name in actual)) yield `${place} lacks ${name}`;
    else if (!(name in expected)) yield `${place} has ${name} besides`;
    else if (MEANINGS.includes(name) && !isPlaceholder(expected[name]) && expected[name] !== actual[name])
      yield `${place}.${name} is ${JSON.stringify(actual[name])} instead of ${JSON.stringify(expected[name])}`;
    else yield* differencesOfForm(expected[name], actual[name], `${place}.${name}`);
  }
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && (value === "" || /[«…]/.test(value));
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}
