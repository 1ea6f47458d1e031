/**
 * Continuations of pages: opaque for callers. Each has the position behind the last entry and a check of the query, so
 * that the continuation of another query is refused instead of skipping entries.
 */
import { invalidInput } from "./arguments.ts";

/** The end of a page, in the terms of the store. */
export type PagePosition = readonly (number | string | null)[];

/** `query` has everything that decides the order and the content of the list, without the size of the page. */
export function continuationOf(query: object, position: PagePosition): string {
  return toBase64Url(JSON.stringify([checkOf(query), ...position]));
}

/** The position of a continuation; `undefined` for a first page. Throws `invalid-input` for that of another query. */
export function positionOf(
  operation: string,
  query: object,
  continuation: string | undefined,
  isPosition: (position: PagePosition) => boolean,
): PagePosition | undefined {
  if (continuation === undefined) return undefined;
  const [, ...position] = parse(continuation);
  if (isPosition(position) && continuationOf(query, position) === continuation) return position;
  throw invalidInput(operation, "continuation does not come from a previous page of the same query");
}

function parse(continuation: string): PagePosition {
  try {
    const parts: unknown = JSON.parse(fromBase64Url(continuation));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** FNV-1a of the query's text, whatever the order of its properties. It recognises mistakes, not attacks. */
function checkOf(query: object): string {
  const text = JSON.stringify(query, (_, value: unknown) => (isRecord(value) ? sorted(value) : value));
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(record: object): object {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function toBase64Url(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function fromBase64Url(text: string): string {
  return Buffer.from(text, "base64url").toString();
}
