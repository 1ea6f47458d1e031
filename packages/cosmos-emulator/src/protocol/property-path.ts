/**
 * Paths as the definitions of containers spell them: `/a/b`, `/"a/b"/c`, `/'x'`; a backslash escapes inside
 * quotes. Partition keys, unique keys and indexing policies are written this way.
 */
import { CosmosError } from "./cosmos-error.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { isJsonObject } from "./json-text.ts";

/** Reads the property names of a path; 400 if it is malformed. */
export function parsePropertyPath(path: string): readonly string[] {
  const names: string[] = [];
  let rest = path;
  while (rest !== "") {
    const segment = SEGMENT.exec(rest);
    if (segment === null) throw malformed(path);
    const [text, inDouble, inSingle, plain = ""] = segment;
    const quoted = inDouble ?? inSingle;
    names.push(quoted === undefined ? plain.trim() : withoutEscapes(quoted));
    rest = rest.slice(text.length);
  }
  if (names.length === 0 || names.includes("")) throw malformed(path);
  return names;
}

/** Finds the value at a path, through objects only; undefined if any part of it is absent. */
export function valueAt(document: JsonObject, names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const name of names) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** A slash, then a name in double or single quotes, or one up to the next slash. */
const SEGMENT = /^\/(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^/"'][^/]*))(?=\/|$)/s;

function withoutEscapes(quoted: string): string {
  return quoted.replaceAll(/\\(.)/gs, "$1");
}

function malformed(path: string): CosmosError {
  return CosmosError.badRequest(
    `The path ${JSON.stringify(path)} is not valid. Write it as /name or /"a name"/name.`,
  );
}
