/** The refusals of a query text: 400 with the place of the mistake (docs/reference/cosmos-protocol.md §1.12). */
import { CosmosError } from "../../protocol/cosmos-error.ts";

/** A part of the query text, in UTF-16 code units; `end` is behind the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Codes of the service's query compiler. SC1001, SC1002, SC1010, SC2001, SC2005, SC2022 and SC2206 were seen on
 * the service; the other numbers are assumed.
 */
export type QueryErrorCode =
  | "SC1001" // syntax
  | "SC1002" // no text
  | "SC1010" // a character that begins no token
  | "SC2001" // unknown identifier
  | "SC2005" // unknown function
  | "SC2022" // two columns with one name
  | "SC2050" // wrong number of arguments
  | "SC2100" // a feature that is not there, or not allowed in this place
  | "SC2206" // ORDER BY on something that is no document path
  | "SC3001"; // larger or deeper than the limits

/** Makes a CosmosError 400 whose message is the JSON list of one error with its position. */
export function queryError(code: QueryErrorCode, message: string, span: Span): CosmosError {
  const location = { start: span.start, end: span.end };
  return CosmosError.badRequest(JSON.stringify({ errors: [{ severity: "Error", location, code, message }] }));
}

/** Makes the error of a text without any word, of `length` code units of blanks and comments. */
export function emptyQuery(length: number): CosmosError {
  return queryError("SC1002", "Syntax error, the query is empty.", { start: length, end: length });
}

/** Makes the error of a text that does not follow the grammar. */
export function syntaxError(near: string, span: Span): CosmosError {
  return queryError("SC1001", `Syntax error, incorrect syntax near '${near}'.`, span);
}
