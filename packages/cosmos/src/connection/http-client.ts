/**
 * The HTTP client of the SDK. Each call of the provider must be exactly one request whose outcome the provider gets,
 * because the provider retries only as long as its lease is valid, which the SDK cannot take into account. An option
 * disables the SDK's retries of 429. The other retries have no option, so their triggers are passed to it as errors that
 * it does not recognise (docs/reference/cosmos-protocol.md §2.2). Two of its reactions have no substitute:
 *
 * - http-client.HC1: The third response in a row that says that no replica has reached the session token is left to the
 *   SDK. A replica that lags behind catches up. A token of a container that was created again, or of the time before a
 *   failover, stays ahead forever, and only the SDK can drop it. What replicas answer then is checked
 *   (seen-positions.ts).
 * - http-client.HC2: One response for a wrong region in each interval is left to the SDK, because only the SDK can find
 *   the new write region of an account. The request was not executed, and the SDK retries it once.
 */
import {
  createDefaultHttpClient,
  createHttpHeaders,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";
import type { Clock } from "@duroxide-ts/core";
import { isError } from "@duroxide-ts/core/stores";
import { isLaggingReplica, MOST_LAGGING, SESSION_NOT_AVAILABLE } from "../service/failure.ts";
import { isLoopback } from "./access.ts";
import { ClockWatch } from "./clock-skew.ts";
import type { Settings } from "./options.ts";
import { NoAnswer, ServiceRefusal } from "./sdk-errors.ts";
import { SeenPositions } from "./seen-positions.ts";

export type SendRequest = (request: PipelineRequest) => Promise<PipelineResponse>;

/** Called for every request; may change it, respond to it, delay it or lose its response. */
export type Intercept = (request: PipelineRequest, next: SendRequest) => Promise<PipelineResponse>;

export function makeHttpClient(settings: Settings, intercept?: Intercept): HttpClient {
  const network = createDefaultHttpClient();
  const next: SendRequest = (request) => network.sendRequest(request);
  const send: SendRequest = intercept === undefined ? next : (request) => intercept(request, next);
  const discovery = new Rediscovery(settings.clock);
  const clocks = new ClockWatch(settings);
  const sessions = new StaleSessions();
  const positions = new SeenPositions(settings.clock);
  return {
    async sendRequest(request) {
      if (request.headers.has("x-ms-cosmos-is-query-plan-request")) return planRefused(request);
      stayOnThisMachine(settings, request);
      request.allowInsecureConnection = settings.endpoint.protocol === "http:";
      const sentMs = settings.clock.now();
      const seen = positions.before(request);
      const response = withJsonMessage(await answerOf(settings, send, request));
      clocks.saw({ sentMs, answeredMs: settings.clock.now() }, { date: response.headers.get("date") });
      if (!positions.admits(request, response, seen)) throw lagsBehind(response);
      const isLeftToSdk = sessions.takes(request, response);
      if (isLeftToSdk || !isRepeatedBySdk(response) || discovery.takes(response)) return response;
      throw new ServiceRefusal(response.status, response.headers.toJSON(), messageIn(response) ?? "");
    },
  };
}

/**
 * Answers a request for a query plan. With every query the SDK requests a plan, which it uses only if the service
 * rejects the query without one. Our queries name a partition key or a range, so the service never rejects them, and
 * the request for the plan is unnecessary.
 */
function planRefused(request: PipelineRequest): PipelineResponse {
  const message =
    "No query plan is requested: give the query a partition key, or send it to each partition key range.";
  return {
    request,
    status: 400,
    headers: createHttpHeaders(),
    bodyAsText: JSON.stringify({ code: "BadRequest", message }),
  };
}

/** The value of `cut` for a request that was not sent, because its address is not on this machine. */
export const LEADS_ELSEWHERE = "leads-elsewhere";

/** An account lists its addresses; those of an account on this machine must be on this machine too, see `access.ts`. */
function stayOnThisMachine({ endpoint }: Settings, { url }: PipelineRequest): void {
  const { hostname } = new URL(url);
  if (!isLoopback(endpoint.hostname) || isLoopback(hostname)) return;
  throw new NoAnswer(
    LEADS_ELSEWHERE,
    `the endpoint on this machine says that it is reached at ${hostname}; start it so that it names its loopback address`,
    { url },
  );
}

async function answerOf(
  { requestTimeoutMs }: Settings,
  send: SendRequest,
  request: PipelineRequest,
): Promise<PipelineResponse> {
  try {
    return await send(request);
  } catch (cause) {
    const error = isError(cause) ? cause : new Error(String(cause));
    if (error.name === "AbortError") {
      throw new NoAnswer("timeout", `no response within ${requestTimeoutMs} ms, or the caller aborted`, {
        url: request.url,
        cause,
      });
    }
    const code = "code" in error ? String(error.code) : "REQUEST_SEND_ERROR";
    throw new NoAnswer(code, error.message, { url: request.url, cause });
  }
}

/**
 * The SDK fails on an error whose body is empty or no JSON, as proxies and load balancers send them, and hides its
 * status. The text of a page stays, because it may be the service's own explanation.
 */
function withJsonMessage(response: PipelineResponse): PipelineResponse {
  if (response.status < 400 || messageIn(response) !== undefined) return response;
  const text = textOf(response.bodyAsText ?? "") || "no explanation";
  const message = `status ${response.status}: ${text}`;
  return { ...response, bodyAsText: JSON.stringify({ code: String(response.status), message }) };
}

/** The most characters of a page that are kept. */
const MOST_TEXT = 300;

/** Returns the text of a page of HTML in one line. */
function textOf(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, MOST_TEXT);
}

function messageIn({ bodyAsText }: PipelineResponse): string | undefined {
  try {
    const body: unknown = JSON.parse(bodyAsText ?? "");
    const message = typeof body === "object" && body !== null && "message" in body ? body.message : undefined;
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The refusal that the service answers when a session token is ahead of the replica. */
function lagsBehind({ headers }: PipelineResponse): ServiceRefusal {
  const substatus = String(SESSION_NOT_AVAILABLE);
  const message = "the answer of a replica that lags behind is older than what this process has seen";
  return new ServiceRefusal(404, { ...headers.toJSON(), "x-ms-substatus": substatus }, message);
}

function isRepeatedBySdk(response: PipelineResponse): boolean {
  return response.status === 503 || isStaleSession(response) || isWrongRegion(response);
}

function isStaleSession(response: PipelineResponse): boolean {
  return isLaggingReplica({ status: response.status, substatus: substatusOf(response) });
}

/** Writes have moved to another region, or the region is gone (docs/reference/cosmos-protocol.md §2.1). */
function isWrongRegion(response: PipelineResponse): boolean {
  const substatus = substatusOf(response);
  return response.status === 403 && (substatus === 3 || substatus === 1008);
}

function substatusOf({ headers }: PipelineResponse): number {
  return Number(headers.get("x-ms-substatus") ?? 0);
}

/** Longer than the SDK's pause before a retry, so that it retries once. */
const REDISCOVERY_MS = 5_000;

/** http-client.HC2. */
class Rediscovery {
  readonly #clock: Clock;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  takes(response: PipelineResponse): boolean {
    const nowMs = this.#clock.now();
    if (!isWrongRegion(response) || nowMs < this.#nextMs) return false;
    this.#nextMs = nowMs + REDISCOVERY_MS;
    return true;
  }
}

/** Paths that are remembered. */
const MOST_PATHS = 1_000;

/** http-client.HC1. */
class StaleSessions {
  /** How often in a row a path got this response. */
  readonly #counts = new Map<string, number>();

  takes({ url, headers }: PipelineRequest, response: PipelineResponse): boolean {
    const isStale = isStaleSession(response);
    if (!isStale && this.#counts.size === 0) return false;
    const path = `${url} ${headers.get("x-ms-documentdb-partitionkey") ?? ""} ${headers.get("x-ms-documentdb-partitionkeyrangeid") ?? ""}`;
    const count = isStale ? (this.#counts.get(path) ?? 0) + 1 : 0;
    if (count === 0) this.#counts.delete(path);
    else if (this.#counts.size < MOST_PATHS || this.#counts.has(path)) this.#counts.set(path, count);
    return count >= MOST_LAGGING;
  }
}
