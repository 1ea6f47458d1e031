/** A query with the places marked that the endpoint did not understand. */
import { type Child, element, type PageElement } from "./dom.ts";
import { isObject, type JsonObject, parseExact } from "./exact-json.ts";

export interface QueryMistake {
  readonly message: string;
  /** Offsets in the text of the query, the end not included. */
  readonly start: number;
  readonly end: number;
}

/** Finds the mistakes that the message of a refusal locates; none if it is about something else. */
export function mistakesIn(message: string): readonly QueryMistake[] {
  const json = message.slice(message.indexOf("{"), message.lastIndexOf("}") + 1);
  try {
    const body = parseExact(json);
    const errors = isObject(body) ? body["errors"] : undefined;
    return Array.isArray(errors) ? errors.filter(isObject).flatMap(mistakeOf) : [];
  } catch {
    return [];
  }
}

function mistakeOf({ message, location }: JsonObject): readonly QueryMistake[] {
  if (!isObject(location)) return [];
  const { start, end } = location;
  if (typeof start !== "number" || typeof end !== "number") return [];
  return [{ message: String(message), start, end }];
}

export function describeMistakes(query: string, mistakes: readonly QueryMistake[]): PageElement {
  const lines = mistakes.map(({ message, start }) => {
    const { line, column } = placeOf(query, start);
    return element("p", {}, `Line ${line}, column ${column}: ${message}`);
  });
  return element(
    "div",
    { class: "mistakes", role: "alert" },
    ...lines,
    element("pre", {}, ...marked(query, mistakes)),
  );
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function marked(query: string, mistakes: readonly QueryMistake[]): readonly Child[] {
  const parts: Child[] = [];
  let at = 0;
  for (const { start, end } of [...mistakes].sort((left, right) => left.start - right.start)) {
    if (start < at) continue;
    // A mistake at the very end, where something is missing, has no text of its own.
    const text = query.slice(start, end) || " ";
    parts.push(query.slice(at, start), element("mark", {}, text));
    at = end;
  }
  return [...parts, query.slice(at)];
}
