/** Execution of stored procedures (docs/reference/cosmos-protocol.md §1.13). */
import { completeRefusal, SCRIPT_CHARGE } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonValue } from "../../protocol/json.ts";
import { parseDocument, parseJson } from "../../protocol/json-text.ts";
import type { ScriptLimits } from "../../scripts/index.ts";
import { type Answer, textAnswer } from "../answers/answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import { positionHeaders } from "../headers/container-headers.ts";
import { flagHeader, HEADER } from "../headers/headers.ts";
import { bodyText, type GatewayRequest } from "../requests/request.ts";
import { partitionKeyOfRequest } from "../requests/requested-scope.ts";
import { TransactionCollection } from "../transaction-collection.ts";

const TIME_MS = 5_000;
const MAX_RESPONSE_LENGTH = 2 * 1024 * 1024;

/**
 * Executes a procedure. The interpreter may have to be loaded first; from then on everything happens in one
 * synchronous transaction.
 */
export async function executeProcedure(context: RequestContext): Promise<Answer> {
  if (flagHeader(context.request.headers, HEADER.logScript)) {
    throw CosmosError.notImplemented("Logs of stored procedures");
  }
  const args = argumentsOf(context.request);
  const scripts = await context.scripts();
  const { engine, request, address, monotonicMs } = context;
  const container = containerOf(context);
  const { id, body } = container.storedProcedures.read(address.id);
  const collection = new TransactionCollection(container, partitionKeyOfRequest(request));
  const limits: ScriptLimits = {
    timeMs: TIME_MS,
    maxResponseLength: MAX_RESPONSE_LENGTH,
    now: monotonicMs,
  };
  const script = { source: sourceOf(body), name: id, args };
  const response = charged(collection, () =>
    engine.transaction(() => scripts.run(script, collection, limits)),
  );
  const { rangeId } = collection;
  const position = { rangeId, lsn: container.lsnOf(rangeId) };
  return textAnswer(200, response, SCRIPT_CHARGE + collection.charge, positionHeaders(container, position));
}

/** Adds the charge of what a script did to its refusal, although all of it is undone. */
function charged<T>(collection: TransactionCollection, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw completeRefusal(error, { charge: SCRIPT_CHARGE + collection.charge });
  }
}

/** Reads a list of arguments, or one argument that is no list; nothing at all means none. */
function argumentsOf(request: GatewayRequest): readonly JsonValue[] {
  const text = bodyText(request);
  if (text.trim() === "") return [];
  const value = parseJson(text);
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}

function sourceOf(storedProcedure: string): string {
  const { body } = parseDocument(storedProcedure);
  if (typeof body === "string") return body;
  throw CosmosError.badRequest(
    "The stored procedure has no body: replace it with one that is the text of a function.",
  );
}
