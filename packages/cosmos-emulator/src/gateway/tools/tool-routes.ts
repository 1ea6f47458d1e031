/**
 * The routes that Azure does not have: readiness, the certificate, faults, the request log and the explorer page.
 * The page is a client like any other, except that `/_explorer/api/<path>` leads it to the data plane without a
 * signature; both lie on one origin, so a browser needs no further permission.
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonValue } from "../../protocol/json.ts";
import { type Answer, emptyAnswer, jsonAnswer, textAnswer } from "../answers/answer.ts";
import type { Faults } from "../faults/faults.ts";
import type { PartitionControl } from "../faults/partition-control.ts";
import type { RequestLog } from "../log/request-log.ts";
import { methodNotAllowed } from "../requests/refusals.ts";
import type { GatewayRequest } from "../requests/request.ts";
import { serveBudget, serveClock, serveFault, serveFaults } from "./fault-routes.ts";
import { requireLocalCaller } from "./local-caller.ts";
import { PARTITION_ROUTES } from "./partition-routes.ts";

/** A file of the explorer page. */
export interface ExplorerFile {
  readonly contentType: string;
  readonly body: string;
}

export interface ToolParts {
  readonly faults: Faults;
  readonly partitions: PartitionControl;
  readonly log: RequestLog;
  readonly key: string;
  /** PEM; undefined without HTTPS. */
  readonly certificate: string | undefined;
  /** Finds a file of the page by what follows `/_explorer/`. Undefined if the endpoint has no such page. */
  readonly explorer: ((path: string) => ExplorerFile | undefined) | undefined;
}

const API = "/_explorer/api";

/** Tells whether the path is one of these routes and not of the data plane. */
export function isToolPath(rawPath: string): boolean {
  return /^\/(alive|ready|_emulator|_explorer)(\/|$|\?)/.test(rawPath);
}

/**
 * Returns the request as it goes to the data plane, if the explorer page sends one; throws 403 for any other caller.
 */
export function explorerCall(request: GatewayRequest, parts: ToolParts): GatewayRequest | undefined {
  if (parts.explorer === undefined || !request.rawPath.startsWith(`${API}/`)) return undefined;
  requireLocalCaller(request, parts.key);
  return { ...request, rawPath: request.rawPath.slice(API.length) };
}

export async function serveTool(request: GatewayRequest, parts: ToolParts): Promise<Answer> {
  const url = new URL(request.rawPath, "http://endpoint");
  const [area = "", route = "", id] = url.pathname.slice(1).split("/");
  if (area === "alive" || area === "ready") return jsonAnswer(200, { status: area }, 0);
  if (area === "_explorer") return serveExplorer(request, url.pathname, parts);
  if (route === "certificate.pem") return serveCertificate(parts.certificate);
  requireLocalCaller(request, parts.key);
  if (route === "faults" && id !== undefined) return serveFault(request, id, parts.faults);
  if (route === "faults") return serveFaults(request, parts.faults);
  if (route === "budget") return serveBudget(request, parts.faults);
  if (route === "clock") return serveClock(request, parts.faults);
  if (route === "requests") return serveRequests(request, url.searchParams, parts.log);
  if (route === "counts") return serveCounts(request, parts.log);
  const change = Object.hasOwn(PARTITION_ROUTES, route) ? PARTITION_ROUTES[route] : undefined;
  if (change !== undefined) return change(request, parts.partitions);
  throw CosmosError.notFound(
    `There is no ${url.pathname}: try /_emulator/ with faults, budget, clock, split, merge, migrate, failover, requests, counts or certificate.pem.`,
  );
}

function serveCertificate(certificate: string | undefined): Answer {
  if (certificate === undefined)
    throw CosmosError.notFound("This endpoint speaks HTTP only: it has no certificate.");
  return textAnswer(200, certificate, 0, { "content-type": "application/x-pem-file" });
}

function serveExplorer(request: GatewayRequest, path: string, { explorer }: ToolParts): Answer {
  if (explorer === undefined) throw CosmosError.notFound("This endpoint has no explorer page.");
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed("Use GET.");
  if (path === "/_explorer") return emptyAnswer(308, 0, { location: "/_explorer/" });
  const file = explorer(path.slice("/_explorer/".length));
  if (file === undefined) throw CosmosError.notFound(`The explorer page has no file ${path}.`);
  const headers = {
    "content-type": file.contentType,
    "cache-control": "no-store",
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  };
  return { status: 200, headers, body: file.body, charge: 0 };
}

/** Serves `/_emulator/requests`: the last requests, oldest first; `?after=<sequence>` only newer ones. */
function serveRequests(request: GatewayRequest, query: URLSearchParams, log: RequestLog): Answer {
  if (request.method !== "GET") throw methodNotAllowed("Use GET.");
  const after = Number(query.get("after") ?? 0);
  const requests = log.entries(Number.isFinite(after) ? after : 0);
  return jsonAnswer(200, { requests: requests as unknown as JsonValue }, 0);
}

/** Serves `/_emulator/counts`: requests and request units since the start, in total and by operation. */
function serveCounts(request: GatewayRequest, log: RequestLog): Answer {
  if (request.method !== "GET") throw methodNotAllowed("Use GET.");
  const { total, byOperation } = log.since();
  const counts = { total: { ...total }, byOperation: Object.fromEntries(byOperation) };
  return jsonAnswer(200, counts as unknown as JsonValue, 0);
}
