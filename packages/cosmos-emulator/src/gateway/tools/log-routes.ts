/** The request log over HTTP. */
import type { JsonValue } from "../../protocol/json.ts";
import { type Answer, jsonAnswer } from "../answers/answer.ts";
import type { RequestLog } from "../log/request-log.ts";
import { methodNotAllowed } from "../requests/refusals.ts";
import type { GatewayRequest } from "../requests/request.ts";

/** `/_emulator/requests`: the last requests, oldest first; `?after=<sequence>` only newer ones. */
export function serveRequests(request: GatewayRequest, query: URLSearchParams, log: RequestLog): Answer {
  if (request.method !== "GET") throw methodNotAllowed("Use GET.");
  const after = Number(query.get("after") ?? 0);
  const requests = log.entries(Number.isFinite(after) ? after : 0);
  return jsonAnswer(200, { requests: requests as unknown as JsonValue }, 0);
}

/** `/_emulator/counts`: requests and request units since the start, in total and by operation. */
export function serveCounts(request: GatewayRequest, log: RequestLog): Answer {
  if (request.method !== "GET") throw methodNotAllowed("Use GET.");
  const { total, byOperation } = log.since();
  const counts = { total: { ...total }, byOperation: Object.fromEntries(byOperation) };
  return jsonAnswer(200, counts as unknown as JsonValue, 0);
}
