/** The endpoint on a socket: starts and stops it. */
import { ownCertificate } from "./certificate.ts";
import { assembleEndpoint } from "./endpoint.ts";
import type { Faults } from "./gateway/faults/faults.ts";
import type { PartitionControl } from "./gateway/faults/partition-control.ts";
import type { Gateway } from "./gateway/gateway.ts";
import { HttpServer, urlHost } from "./gateway/http-server.ts";
import type { RequestLog } from "./gateway/log/request-log.ts";
import { type CosmosEmulatorOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { newId, randomUnit, systemClock } from "./system.ts";

/** A running local endpoint of the Cosmos DB API for NoSQL. A tool for development and tests, not a database. */
export class CosmosEmulator implements AsyncDisposable {
  /** The address, such as `http://127.0.0.1:8081/`. */
  readonly endpoint: string;
  /** The account's key, base64. */
  readonly key: string;
  /** The connection string of endpoint and key, for SDKs. */
  readonly connectionString: string;
  /** The certificate of an HTTPS endpoint, PEM; undefined without HTTPS. */
  readonly certificate: string | undefined;
  /** Makes requests fail, wait or read stale data. */
  readonly faults: Faults;
  /** Splits, merges and moves physical partitions. */
  readonly partitions: PartitionControl;
  /** The log of requests. */
  readonly requestLog: RequestLog;
  readonly #stop: () => Promise<void>;
  #stopped: Promise<void> | undefined;

  private constructor(parts: EmulatorParts) {
    const { options, server, faults, partitions, requestLog } = parts;
    // A socket that listens on all addresses is reached by any of them; loopback is the one that always works.
    const host = options.host === "0.0.0.0" || options.host === "::" ? "localhost" : options.host;
    this.endpoint = `${options.https ? "https" : "http"}://${urlHost(host)}:${server.port}/`;
    this.key = options.key;
    this.connectionString = `AccountEndpoint=${this.endpoint};AccountKey=${this.key};`;
    this.certificate = parts.certificate;
    this.faults = faults;
    this.partitions = partitions;
    this.requestLog = requestLog;
    this.#stop = parts.stop;
  }

  /**
   * Resolves when the endpoint answers. Rejects with a sentence that says what to do: an option that makes no sense,
   * a port that is taken, a file that cannot be opened.
   */
  static async start(options: CosmosEmulatorOptions = {}): Promise<CosmosEmulator> {
    return new CosmosEmulator(await startParts(resolveOptions(options)));
  }

  /** Answers the requests under way, closes all connections and the file. Idempotent. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Stops the endpoint, as `stop` does. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

interface EmulatorParts {
  readonly options: ResolvedOptions;
  readonly server: HttpServer;
  readonly faults: Faults;
  readonly partitions: PartitionControl;
  readonly requestLog: RequestLog;
  readonly certificate: string | undefined;
  readonly stop: () => Promise<void>;
}

async function startParts(options: ResolvedOptions): Promise<EmulatorParts> {
  const certificate = options.https ? await certificateOf(options) : undefined;
  const source = { monotonicMs: systemClock.monotonicMs, newId, random: randomUnit };
  const { gateway, faults, partitions, requestLog, close } = assembleEndpoint(
    options,
    source,
    certificate?.certificate,
  );
  const server = await listen(options, gateway, certificate).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const stop = async (): Promise<void> => {
    gateway.stop();
    await server.stop();
    await close();
  };
  return { options, server, faults, partitions, requestLog, certificate: certificate?.certificate, stop };
}

function certificateOf(options: ResolvedOptions): ReturnType<typeof ownCertificate> {
  const { host, allowedHosts, path, now } = options;
  const allowed = allowedHosts.map(({ name }) => name.replace(/^\[(.*)\]$/, "$1"));
  return ownCertificate({
    names: [host, ...allowed],
    nowMs: now(),
    file: path === undefined ? undefined : `${path}.pem`,
  });
}

function listen(
  options: ResolvedOptions,
  gateway: Gateway,
  certificate: Awaited<ReturnType<typeof ownCertificate>> | undefined,
): Promise<HttpServer> {
  return HttpServer.listen({
    host: options.host,
    port: options.port,
    ...(certificate === undefined ? {} : { certificate }),
    allowedHosts: options.allowedHosts,
    serve: (request) => gateway.serve(request),
    refuseBody: (request) => gateway.refuseBody(request),
    refuseHost: (request) => gateway.refuseHost(request),
    wait: systemClock.wait,
  });
}
