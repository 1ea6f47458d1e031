/** The body of a query request: `{query, parameters}` (docs/reference/cosmos-protocol.md §1.8). */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonValue } from "../../protocol/json.ts";
import { isJsonObject, parseJson } from "../../protocol/json-text.ts";
import { bodyText, type GatewayRequest } from "./request.ts";

export interface QueryBody {
  readonly query: string;
  /** Values by name with `@`. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
}

const MAX_QUERY_BYTES = 512 * 1024;

/**
 * Parses the body of a query. Old clients send the bare text of the query with the content type `application/sql`.
 */
export function parseQueryBody(request: GatewayRequest): QueryBody {
  const text = bodyText(request);
  const isBareText = /^application\/sql\b/i.test(request.headers["content-type"] ?? "");
  const body = isBareText ? { query: text } : parseJson(text);
  if (!isJsonObject(body)) throw invalid("the body of a query is an object with query and parameters");
  const { query, parameters } = body;
  if (typeof query !== "string") throw invalid('"query" is missing or is no text');
  if (Buffer.byteLength(query) > MAX_QUERY_BYTES)
    throw invalid(`"query" is longer than ${MAX_QUERY_BYTES} bytes`);
  return { query, parameters: parseParameters(parameters) };
}

function parseParameters(value: JsonValue | undefined): Map<string, JsonValue> {
  const parameters = new Map<string, JsonValue>();
  if (value === undefined || value === null) return parameters;
  if (!Array.isArray(value)) throw invalid('"parameters" is a list of {name, value}');
  for (const parameter of value) {
    const name = isJsonObject(parameter) ? parameter["name"] : undefined;
    if (!isJsonObject(parameter) || typeof name !== "string" || !/^@\w/.test(name)) {
      throw invalid('each of "parameters" is {name, value}, and a name begins with @');
    }
    if (parameters.has(name)) throw invalid(`the parameter ${name} stands there twice`);
    const { value: given } = parameter;
    // A parameter without a value is undefined in the query, as an absent property is.
    if (given !== undefined) parameters.set(name, given);
  }
  return parameters;
}

function invalid(problem: string): CosmosError {
  return CosmosError.badRequest(`One of the input values is invalid: ${problem}.`);
}
