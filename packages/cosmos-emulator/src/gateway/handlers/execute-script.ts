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
import { scriptLogHeader } from "../headers/script-log.ts";
import { bodyText, type GatewayRequest } from "../requests/request.ts";
import { partitionKeyOfRequest } from "../requests/requested-scope.ts";
import { TransactionCollection } from "../transaction-collection.ts";

const TIME_MS = 5_000;
const MAX_RESPONSE_LENGTH = 2 * 1024 * 1024;

/** Beyond it a script fails; of less than that, the answer has as much as a header holds. */
const MAX_LOG_LENGTH = 256 * 1024;

/** The interpreter may have to be loaded first; from then on everything happens in one synchronous transaction. */
export async function executeScript(context: RequestContext): Promise<Answer> {
  const args = argumentsOf(context.request);
  const scripts = await context.scripts();
  const { engine, request, address, monotonicMs } = context;
  const container = containerOf(context);
  const { id, body } = container.storedProcedures.read(address.id);
  const collection = new TransactionCollection(container, partitionKeyOfRequest(request));
  const limits: ScriptLimits = {
    timeMs: TIME_MS,
    maxResponseLength: MAX_RESPONSE_LENGTH,
    maxLogLength: MAX_LOG_LENGTH,
    now: monotonicMs,
  };
  const enableLogging = flagHeader(request.headers, HEADER.logScript) === true;
  const script = { source: sourceOf(body), name: id, args, enableLogging };
  const result = charged(collection, () => engine.transaction(() => scripts.run(script, collection, limits)));
  const { rangeId } = collection;
  const position = { rangeId, lsn: container.lsnOf(rangeId) };
  return textAnswer(200, result.body, SCRIPT_CHARGE + collection.charge, {
    ...positionHeaders(container, position),
    ...(enableLogging && { [HEADER.scriptLog]: scriptLogHeader(result.log) }),
  });
}

/** What a script did is paid for even if all of it is undone. */
function charged<T>(collection: TransactionCollection, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw completeRefusal(error, { charge: SCRIPT_CHARGE + collection.charge });
  }
}

/** A list of arguments, or one that is no list; nothing at all means none. */
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
