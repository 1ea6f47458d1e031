/** JSON Schemas inside a larger document. */

/** References of a schema count from its own root. In a document it lies at `place`, and so do they. */
export function schemaWithRefs(schema: object, place: string): object {
  return moved(schema, place) as object;
}

function moved(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((each) => moved(each, place));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "$schema");
  return Object.fromEntries(
    entries.map(([name, each]) => [name, name === "$ref" ? movedRef(each, place) : moved(each, place)]),
  );
}

function movedRef(ref: unknown, place: string): unknown {
  if (typeof ref !== "string" || (ref !== "#" && !ref.startsWith("#/"))) return ref;
  return `${place}${ref.slice(1)}`;
}
