/** The endpoint under test: its clients, one database for the whole run, and containers that the checks share. */
import { randomUUID } from "node:crypto";
import { type Container, CosmosClient, type CosmosClientOptions } from "@azure/cosmos";
import { Items } from "./client/items.ts";
import { RawClient } from "./client/raw-client.ts";
import { type Fields, textOf } from "./client/reply.ts";
import { expectStatus } from "./expect.ts";
import { FIXTURES, type FixtureName } from "./given/fixtures.ts";

/** The account key that every emulator has. It is public. */
export const EMULATOR_KEY =
  "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

/** Shared by all containers of the database, so that a run on an account of Azure costs cents. */
const SHARED_THROUGHPUT = "1000";

/** A request that the SDK is about to send. */
export interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Run {
  readonly endpoint: URL;
  readonly key: string;
  readonly raw: RawClient;
  readonly databaseId: string;
  readonly hasThroughput: boolean;
  /** Data that checks share, by name. */
  readonly memories: Map<string, Promise<unknown>>;
}

export class Target {
  readonly endpoint: URL;
  readonly key: string;
  readonly raw: RawClient;
  readonly databaseId: string;
  readonly #run: Run;
  readonly #containers = new Map<FixtureName, Promise<Items>>();
  #sdk: CosmosClient | undefined;

  private constructor(run: Run) {
    this.endpoint = run.endpoint;
    this.key = run.key;
    this.raw = run.raw;
    this.databaseId = run.databaseId;
    this.#run = run;
  }

  /** Creates the database of the run. */
  static async open(endpoint: string, key: string): Promise<Target> {
    const raw = new RawClient(new URL(endpoint), key);
    const databaseId = `conformance-${randomUUID().slice(0, 8)}`;
    const create = (headers: Readonly<Record<string, string>>) =>
      raw.send({ method: "POST", link: "dbs", body: { id: databaseId }, headers });
    const created = await create({ "x-ms-offer-throughput": SHARED_THROUGHPUT });
    // A serverless account refuses every request for throughput.
    const hasThroughput = created.status !== 400;
    expectStatus(hasThroughput ? created : await create({}), 201);
    return new Target({
      endpoint: new URL(endpoint),
      key,
      raw,
      databaseId,
      hasThroughput,
      memories: new Map(),
    });
  }

  /** Removes the database with everything in it. */
  async close(): Promise<void> {
    await this.raw.send({ method: "DELETE", link: this.databaseLink }).catch(() => undefined);
    this.#sdk?.dispose();
    this.raw.close();
  }

  /** The same endpoint and database, with shared containers of its own: for endpoints on which checks disturb each other. */
  isolated(): Target {
    return new Target(this.#run);
  }

  get sdk(): CosmosClient {
    this.#sdk ??= this.sdkClient();
    return this.#sdk;
  }

  get databaseLink(): string {
    return `dbs/${this.databaseId}`;
  }

  /** Whether the account sells throughput; a serverless one does not. */
  get hasThroughput(): boolean {
    return this.#run.hasThroughput;
  }

  /** Whether it is the hosted service, whose charges vary a little and whose regions have addresses of their own. */
  get isHosted(): boolean {
    return this.endpoint.hostname.endsWith(".azure.com");
  }

  /** Another SDK client, for a check that needs options of its own or watches requests. The check disposes of it. */
  sdkClient(options: Partial<CosmosClientOptions> = {}, watch?: (request: SdkRequest) => void): CosmosClient {
    // The types of the SDK hide this option, which its documentation has.
    const plugins = [
      {
        on: "request",
        plugin: (
          request: SdkRequest,
          _diagnostics: unknown,
          next: (request: SdkRequest) => unknown,
        ): unknown => {
          watch?.(request);
          return next(request);
        },
      },
    ];
    return new CosmosClient({
      endpoint: this.endpoint.href,
      key: this.key,
      ...(this.endpoint.protocol === "https:" && { agent: this.raw.agent }),
      ...(watch !== undefined && { plugins }),
      ...options,
      connectionPolicy: { enableBackgroundEndpointRefreshing: false, ...options.connectionPolicy },
    });
  }

  /** A container that several checks share: they keep to partition key values of their own. */
  fixture(name: FixtureName): Promise<Items> {
    const existing = this.#containers.get(name);
    if (existing !== undefined) return existing;
    const created = this.createContainer({ id: unique(name), ...FIXTURES[name] });
    this.#containers.set(name, created);
    return created;
  }

  /** The shared container with the default policies and the partition key `/pk`. */
  get items(): Promise<Items> {
    return this.fixture("plain");
  }

  /** The same container, or another one, as the SDK sees it. */
  async sdkContainer(items?: Items, client: CosmosClient = this.sdk): Promise<Container> {
    return client.database(this.databaseId).container((items ?? (await this.items)).name);
  }

  /** A container for one check. */
  temporary(
    definition: Fields = FIXTURES.plain,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Items> {
    return this.createContainer({ id: unique("temporary"), ...definition }, headers);
  }

  async createContainer(definition: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Items> {
    const link = `${this.databaseLink}/colls`;
    expectStatus(await this.raw.send({ method: "POST", link, body: definition, headers }), 201);
    return new Items(this.raw, `${link}/${textOf(definition["id"])}`);
  }

  /**
   * Returns what `make` gave the first time: for data that takes long to prepare and that several checks only read.
   */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = this.#run.memories.get(name) ?? make();
    this.#run.memories.set(name, made);
    return made as Promise<T>;
  }
}

/** A name that no other check and no other run uses. */
export function unique(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`;
}
