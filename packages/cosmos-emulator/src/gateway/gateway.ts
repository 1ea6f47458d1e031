/**
 * Handles one request: parses the path, authenticates the caller, applies faults, executes the operation, and turns its
 * result or error into an answer with headers and into an entry of the request log.
 */
import { types } from "node:util";
import type { Container } from "../engine/index.ts";
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { Answer, Outcome } from "./answers/answer.ts";
import { chargeOf, errorAnswer, failureAnswer } from "./answers/error-answer.ts";
import { withServiceHeaders } from "./answers/service-headers.ts";
import { type AuthenticationSettings, authenticate } from "./auth/authenticate.ts";
import type { Endpoint } from "./context.ts";
import type { FaultTarget } from "./faults/fault-rule.ts";
import type { Faults } from "./faults/faults.ts";
import { operationTypes } from "./faults/operation-fault.ts";
import type { PartitionControl } from "./faults/partition-control.ts";
import type { Throttle, Touched } from "./faults/throttle.ts";
import { touchedBy } from "./faults/touched.ts";
import { HEADER, textHeader } from "./headers/headers.ts";
import type { RequestLog } from "./log/request-log.ts";
import { type Address, parseAddress } from "./requests/address.ts";
import { checkConsistency } from "./requests/consistency.ts";
import { isAboutItems, type OperationKind, operationKind } from "./requests/operation-kind.ts";
import { forbidden, tooLarge } from "./requests/refusals.ts";
import type { GatewayRequest, RequestHead } from "./requests/request.ts";
import { HANDLERS } from "./routes.ts";
import { explorerCall, isToolPath, serveTool, type ToolParts } from "./tools/tool-routes.ts";

export interface GatewayParts {
  readonly endpoint: Endpoint;
  readonly authentication: AuthenticationSettings;
  readonly faults: Faults;
  readonly throttle: Throttle;
  readonly partitions: PartitionControl;
  readonly log: RequestLog;
  readonly tools: ToolParts;
  /** Milliseconds since the epoch, as the endpoint's own clock has them. */
  now(): number;
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
  onFailure(error: unknown, request: { readonly method: string; readonly path: string }): void;
}

/** The facts known of a request so far, filled on its way, for the log. */
interface Progress {
  operation?: OperationKind;
  address?: Address;
  /** Whether a fault keeps the answer back. */
  losesAnswer?: boolean;
  failure?: string;
}

/** Stands in the log for a connection that was reset instead of an answer. */
const NO_ANSWER = 0;

/** Paths and keys can be as long as headers; the log keeps their beginning. */
const MAX_LOGGED_LENGTH = 1_000;

/** Length of the text of a caller that is quoted in a message to it. */
const MAX_QUOTED_LENGTH = 200;

export class Gateway {
  readonly #parts: GatewayParts;
  readonly #stopping = new AbortController();
  readonly #runsSinceMs: number;
  #requests = 0;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    this.#runsSinceMs = parts.now();
  }

  /** Ends the waiting of delayed requests: they are served at once. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Serves a request. Never rejects. */
  async serve(request: GatewayRequest): Promise<Outcome> {
    const { endpoint, tools } = this.#parts;
    const activityId = endpoint.newId();
    if (!isToolPath(request.rawPath)) return this.#serveLogged(request, activityId, false);
    try {
      const call = explorerCall(request, tools);
      return call === undefined
        ? await serveTool(request, tools)
        : await this.#serveLogged(call, activityId, true);
    } catch (error) {
      return this.#refuse(error, request, activityId, {});
    }
  }

  /** Answers a body that was too large to be read. */
  refuseBody(request: RequestHead): Outcome {
    return this.#refuseUnread(
      request,
      tooLarge("Request size is too large: a request may have 2 MB. Send less, or split it."),
    );
  }

  /** Answers a caller that names a host to which the endpoint does not answer. */
  refuseHost(request: RequestHead): Outcome {
    const host = JSON.stringify(request.headers.host?.slice(0, MAX_QUOTED_LENGTH) ?? "");
    return this.#refuseUnread(
      request,
      forbidden(
        `This endpoint does not answer to the host ${host}: use the address that it printed, or start it with the option allowedHosts (--allow-host) and this name.`,
      ),
    );
  }

  #refuseUnread(request: RequestHead, error: CosmosError): Outcome {
    const activityId = this.#parts.endpoint.newId();
    const answer = errorAnswer(error, activityId);
    this.#log(request, answer, 0, {});
    return this.#completed(answer, activityId, 0);
  }

  async #serveLogged(request: GatewayRequest, activityId: string, fromExplorer: boolean): Promise<Outcome> {
    const { endpoint } = this.#parts;
    const startedMs = endpoint.monotonicMs();
    const progress: Progress = {};
    let outcome: Outcome;
    try {
      outcome = await this.#execute(request, progress, fromExplorer);
    } catch (error) {
      outcome = this.#refuse(error, request, activityId, progress);
    }
    const durationMs = endpoint.monotonicMs() - startedMs;
    const entry = { ...progress, ...(fromExplorer ? { fromExplorer } : {}) };
    if (outcome === "reset" || progress.losesAnswer === true) {
      const charge = outcome === "reset" ? 0 : outcome.charge;
      this.#log(request, { status: NO_ANSWER, charge }, durationMs, entry);
      return "reset";
    }
    this.#log(request, outcome, durationMs, entry);
    return this.#completed(this.#withSession(outcome, progress), activityId, durationMs);
  }

  /** Changes the session token of an answer: after a failover callers see other positions than the store has. */
  #withSession(answer: Answer, { address, operation }: Progress): Answer {
    const token = answer.headers[HEADER.sessionToken];
    if (token === undefined || address === undefined || operation === undefined) return answer;
    const { failovers } = this.#parts.partitions;
    const container = failovers.isEmpty ? undefined : this.#containerAt(address);
    if (container === undefined) return answer;
    const seen = failovers.outgoing(container, token);
    return { ...answer, headers: { ...answer.headers, [HEADER.sessionToken]: seen } };
  }

  /** Opens the container; undefined if there is none, or no longer. */
  #containerAt({ database, container }: Address): Container | undefined {
    try {
      return this.#parts.endpoint.engine.container(database, container);
    } catch (error) {
      if (error instanceof CosmosError) return undefined;
      throw error;
    }
  }

  #completed(answer: Answer, activityId: string, durationMs: number): Answer {
    this.#requests += 1;
    const [nowMs, runsSinceMs, requestNumber] = [this.#parts.now(), this.#runsSinceMs, this.#requests];
    return withServiceHeaders(answer, { activityId, nowMs, durationMs, requestNumber, runsSinceMs });
  }

  async #execute(request: GatewayRequest, progress: Progress, fromExplorer: boolean): Promise<Outcome> {
    const { endpoint, authentication, faults, wait } = this.#parts;
    const address = parseAddress(request.rawPath, { slashesInIds: endpoint.lenient });
    const operation = operationKind(address, request.method, request.headers);
    progress.operation = operation;
    progress.address = address;
    const context = { ...endpoint, request, address, operation, writesBehind: 0, mostItems: undefined };
    if (fromExplorer) return HANDLERS[operation](context);
    authenticate(request, address, operation, authentication);
    if (isAboutItems(operation)) checkConsistency(request);

    const touched = touchedBy(endpoint.engine, request, address, operation);
    const target = faultTarget(request, address, operation, () => touched().ids);
    const { delayMs, writesBehind, mostItems, outcome } = faults.decide(target);
    if (delayMs > 0) await wait(delayMs, this.#stopping.signal);
    if (outcome === "reset") return outcome;
    if (outcome instanceof CosmosError) throw outcome;
    progress.losesAnswer = outcome === "loseResponse";
    const refusedOperation = typeof outcome === "object" ? outcome : undefined;
    if (!isAboutItems(operation)) return HANDLERS[operation](context);
    const understood = this.#understood(request, address);
    const handle = (): Answer | Promise<Answer> =>
      HANDLERS[operation]({ ...context, request: understood, writesBehind, mostItems, refusedOperation });
    return this.#charged(address, touched, handle);
  }

  /** Changes the session token of a request to the store's. */
  #understood(request: GatewayRequest, address: Address): GatewayRequest {
    const { failovers } = this.#parts.partitions;
    const given = textHeader(request.headers, HEADER.sessionToken);
    const container = given === undefined || failovers.isEmpty ? undefined : this.#containerAt(address);
    if (given === undefined || container === undefined) return request;
    const token = failovers.incoming(container, given);
    return { ...request, headers: { ...request.headers, [HEADER.sessionToken]: token } };
  }

  /** Handles a request and uses the request units of its partitions, which a refused request uses too. */
  async #charged(
    address: Address,
    touched: () => Touched,
    handle: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const { throttle, partitions } = this.#parts;
    const { database, container } = address;
    if (partitions.isBusy) partitions.check(address, touched().ids);
    if (!throttle.isOn) return handle();
    throttle.check(database, container, touched());
    try {
      const answer = await handle();
      throttle.spend(database, container, answer.charge, touched());
      return answer;
    } catch (error) {
      if (error instanceof CosmosError) throttle.spend(database, container, chargeOf(error), touched());
      throw error;
    }
  }

  #refuse(error: unknown, request: GatewayRequest, activityId: string, progress: Progress): Answer {
    if (error instanceof CosmosError) return errorAnswer(error, activityId);
    progress.failure = textOf(error);
    try {
      const result: unknown = this.#parts.onFailure(error, { method: request.method, path: request.rawPath });
      // An async callback that fails must not end the process.
      if (types.isPromise(result)) result.catch(() => {});
    } catch (another) {
      progress.failure += `\nonFailure threw: ${textOf(another)}`;
    }
    return failureAnswer(error, activityId);
  }

  #log(
    request: RequestHead,
    { status, substatus, charge }: Pick<Answer, "status" | "substatus" | "charge">,
    durationMs: number,
    { operation, failure, fromExplorer }: Progress & { readonly fromExplorer?: true },
  ): void {
    const partitionKey = textHeader(request.headers, HEADER.partitionKey);
    const range = textHeader(request.headers, HEADER.partitionRange);
    this.#parts.log.add({
      atMs: this.#parts.now(),
      method: request.method,
      path: request.rawPath.slice(0, MAX_LOGGED_LENGTH),
      ...(partitionKey === undefined ? {} : { partitionKey: partitionKey.slice(0, MAX_LOGGED_LENGTH) }),
      ...(range === undefined ? {} : { range: range.slice(0, MAX_LOGGED_LENGTH) }),
      status,
      ...(substatus === undefined ? {} : { substatus }),
      charge,
      durationMs,
      ...(operation === undefined ? {} : { operation }),
      ...(failure === undefined ? {} : { failure }),
      ...(fromExplorer === undefined ? {} : { fromExplorer }),
    });
  }
}

function faultTarget(
  request: GatewayRequest,
  { database, container }: Address,
  operation: OperationKind,
  ranges: () => readonly string[],
): FaultTarget {
  const partitionKey = textHeader(request.headers, HEADER.partitionKey);
  const continued = (textHeader(request.headers, HEADER.continuation) ?? "") !== "";
  return {
    operation,
    database,
    container,
    partitionKey,
    continued,
    ranges,
    operationTypes: () => (operation === "item.batch" ? operationTypes(request.body) : []),
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
