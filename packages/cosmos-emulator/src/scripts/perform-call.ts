/**
 * The calls that a script makes of its collection, by name. The sandbox wrote the arguments, so each is checked before
 * it is used; the answer is JSON text for the sandbox to parse.
 */
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import { parseDocument } from "../protocol/json-text.ts";
import type { CallMessage } from "./channel.ts";
import type {
  DocumentReference,
  ScriptCollection,
  ScriptPage,
  ScriptPageOptions,
  ScriptQuery,
} from "./script-collection.ts";

type Operation = (collection: ScriptCollection, argument: JsonObject) => string;

const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["read", (collection, argument) => document(collection.read(referenceIn(argument)))],
  ["query", (collection, argument) => page(collection.query(queryIn(argument), pageOptionsIn(argument)))],
  [
    "patch",
    (collection, argument) =>
      document(collection.patch(referenceIn(argument), argument["patch"] ?? null, etagIn(argument))),
  ],
]);

/** Makes a call and returns the result, or the refusal, as JSON text. Throws what is not a CosmosError. */
export function performCall(collection: ScriptCollection, call: CallMessage): string {
  try {
    const operation = OPERATIONS.get(call.operation);
    if (operation === undefined) throw CosmosError.badRequest(`There is no operation '${call.operation}'.`);
    return operation(collection, parseDocument(call.argument));
  } catch (error) {
    if (error instanceof CosmosError) return refusal(error);
    throw error;
  }
}

function document(text: string): string {
  return `{"failed":false,"document":${text}}`;
}

function page({ rows, continuation }: ScriptPage): string {
  const next = continuation === undefined ? "" : `,"continuation":${JSON.stringify(continuation)}`;
  return `{"failed":false,"rows":[${rows.join(",")}]${next}}`;
}

function refusal(error: CosmosError): string {
  const body = error.message.startsWith("{") ? error.message : JSON.stringify({ Errors: [error.message] });
  return JSON.stringify({ failed: true, number: error.status, body });
}

function referenceIn({ id, rid }: JsonObject): DocumentReference {
  if (typeof id === "string") return { id };
  if (typeof rid === "string") return { rid };
  throw CosmosError.badRequest("The call names no document.");
}

function etagIn({ etag }: JsonObject): string | undefined {
  if (etag === undefined || etag === null || etag === "") return undefined;
  if (typeof etag === "string") return etag;
  throw CosmosError.badRequest('The option "etag" must be a string.');
}

function pageOptionsIn({ pageSize, continuation }: JsonObject): ScriptPageOptions {
  if (typeof pageSize !== "number" || !Number.isInteger(pageSize) || (pageSize < 1 && pageSize !== -1)) {
    throw CosmosError.badRequest('The option "pageSize" must be a positive integer, or -1.');
  }
  if (continuation === undefined || continuation === null || continuation === "") return { pageSize };
  if (typeof continuation === "string") return { pageSize, continuation };
  throw CosmosError.badRequest('The option "continuation" must be a string.');
}

function queryIn({ query, parameters }: JsonObject): ScriptQuery {
  if (typeof query !== "string") throw CosmosError.badRequest("A query must be a string.");
  if (parameters === undefined || parameters === null) return { query, parameters: [] };
  if (!Array.isArray(parameters)) throw CosmosError.badRequest("The parameters of a query must be an array.");
  return { query, parameters: parameters.map(parameterIn) };
}

function parameterIn(parameter: JsonValue): { name: string; value: JsonValue } {
  if (typeof parameter === "object" && parameter !== null && "name" in parameter) {
    const { name, value } = parameter as JsonObject;
    if (typeof name === "string" && value !== undefined) return { name, value };
  }
  throw CosmosError.badRequest('A parameter of a query must be {"name": "@…", "value": …}.');
}
