/**
 * The endpoint without a socket: a caller hands over a request as data and gets the answer as data. Time, ids and random
 * numbers come from the caller, so that the same calls give the same answers. For simulations.
 */
import { type AssembledEndpoint, assembleEndpoint, type EndpointSource } from "./endpoint.ts";
import type { Outcome } from "./gateway/answers/answer.ts";
import type { Faults } from "./gateway/faults/faults.ts";
import type { ContainerNames, PartitionControl } from "./gateway/faults/partition-control.ts";
import type { RequestLog } from "./gateway/log/request-log.ts";
import { type CosmosEmulatorOptions, resolveOptions } from "./options.ts";

/** Options of an endpoint without a socket. */
export interface InProcessEndpointOptions
  extends Omit<CosmosEmulatorOptions, "host" | "allowedHosts" | "port" | "path" | "https" | "explorer">,
    EndpointSource {
  now(): number;
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** A request as data. Names of headers are in lower case. */
export interface InProcessRequest {
  /** Method in upper case. */
  readonly method: string;
  /** Path and query as they stand in the URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer as data; "reset" where a fault resets the connection instead. */
export type InProcessAnswer = Outcome;

/** Answers requests of the Cosmos DB API for NoSQL in the caller's own process. */
export class InProcessEndpoint implements AsyncDisposable {
  readonly endpoint = "http://127.0.0.1:8081/";
  /** The account's key, base64. */
  readonly key: string;
  /** Makes requests fail, wait or read stale data. */
  readonly faults: Faults;
  /** Splits, merges and moves physical partitions. */
  readonly partitions: PartitionControl;
  /** The log of requests. */
  readonly requestLog: RequestLog;
  readonly #parts: AssembledEndpoint;

  constructor(options: InProcessEndpointOptions) {
    const { monotonicMs, newId, random, ...rest } = options;
    const resolved = resolveOptions(rest);
    this.#parts = assembleEndpoint(resolved, { monotonicMs, newId, random }, undefined);
    this.key = resolved.key;
    this.faults = this.#parts.faults;
    this.partitions = this.#parts.partitions;
    this.requestLog = this.#parts.requestLog;
  }

  /** Serves a request. Never rejects. */
  serve({ method, path, headers, body }: InProcessRequest): Promise<InProcessAnswer> {
    return this.#parts.gateway.serve({
      method,
      rawPath: path,
      headers,
      body: Buffer.from(body, "utf8"),
      origin: this.endpoint.slice(0, -1),
      fromLoopback: true,
    });
  }

  /** Returns every item of a container as its JSON text. */
  items({ database, container }: ContainerNames): readonly string[] {
    return this.#parts.engine.container(database, container).bodies();
  }

  /** Ends it; requests that wait are answered at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#parts.gateway.stop();
    await this.#parts.close();
  }
}
