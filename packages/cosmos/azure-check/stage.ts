/** The stage of the steps: the account, a database of the check's own, and the container of the provider in it. */
import { randomUUID } from "node:crypto";
import {
  type Exchange,
  expectStatus,
  type Fields,
  Items,
  RawClient,
} from "@duroxide-ts/cosmos-emulator/conformance";
import type { Intercept } from "../src/connection/http-client.ts";
import { openContainer } from "../src/connection/open-container.ts";
import { type CosmosProviderOptions, type Settings, toSettings } from "../src/connection/options.ts";
import { CosmosProvider } from "../src/provider.ts";
import { bearerTokens, type Place, verifiesCertificates } from "./place.ts";
import type { Scale } from "./scale.ts";

/** Throughput of a container of our own on a provisioned account, RU/s: enough for the probes to end within minutes. */
const PROVISIONED_RU = 4_000;
const LEAST_RU = 400;

/** Facts that preflight found out, as far as it could. */
export interface Facts {
  capacity: "serverless" | "provisioned" | "unknown";
}

export interface StageOptions {
  readonly place: Place;
  readonly scale: Scale;
  readonly database: string;
  readonly onExchange: (exchange: Exchange) => void;
  /** Request units of requests that the provider sent. */
  readonly onCharge: (ru: number) => void;
  /** Address of a test's proxy, to which the SDK and raw requests go instead of the place. */
  readonly through?: URL;
  readonly made: Map<string, Promise<unknown>>;
  readonly say: (line: string) => void;
}

export class Stage {
  readonly place: Place;
  readonly scale: Scale;
  readonly endpoint: URL;
  readonly database: string;
  readonly container = "check";
  readonly raw: RawClient;
  readonly facts: Facts = { capacity: "unknown" };
  readonly say: (line: string) => void;
  readonly #options: StageOptions;
  #items: Promise<Items> | undefined;
  #hasDatabase = false;

  constructor(options: StageOptions) {
    this.#options = options;
    const { place, scale, database, onExchange, through, say } = options;
    this.place = place;
    this.scale = scale;
    this.database = database;
    this.say = say;
    this.endpoint = through ?? place.endpoint;
    this.raw = this.rawClient(onExchange);
  }

  /** Makes a client with the key, or with tokens if there is none. */
  rawClient(
    onExchange?: (exchange: Exchange) => void,
    { keepsSession = true, as = "key" }: { keepsSession?: boolean; as?: "key" | "identity" } = {},
  ): RawClient {
    const { key, credential } = this.place;
    const access =
      key !== undefined && as === "key" ? key : credential && bearerTokens(this.place, credential);
    if (access === undefined) throw new Error("there is neither a key nor an identity");
    return new RawClient(this.endpoint, access, {
      verifyCertificates: verifiesCertificates(this.place),
      keepsSession,
      ...(onExchange !== undefined && { onExchange }),
    });
  }

  get databaseLink(): string {
    return `dbs/${this.database}`;
  }

  get containerLink(): string {
    return `${this.databaseLink}/colls/${this.container}`;
  }

  /** The provider's container, which is made when it is first asked for. */
  get items(): Promise<Items> {
    this.#items ??= this.#open();
    return this.#items;
  }

  /** A partition key value that no other step uses. */
  partition(name: string): string {
    return `${name}-${randomUUID().slice(0, 8)}`;
  }

  /** Documents in a new partition. */
  async partitionWith(name: string, ...documents: readonly Fields[]): Promise<{ items: Items; pk: string }> {
    const items = await this.items;
    const pk = this.partition(name);
    for (const document of documents)
      expectStatus(await items.create([pk], { ...document, instanceId: pk }), 201);
    return { items, pk };
  }

  settings(options: CosmosProviderOptions = {}): Settings {
    return toSettings(this.#providerOptions(options));
  }

  async connect(options: CosmosProviderOptions = {}, intercept?: Intercept): Promise<CosmosProvider> {
    this.#hasDatabase = true;
    const pass: Intercept = intercept ?? ((request, next) => next(request));
    return CosmosProvider.connectThrough(this.#providerOptions(options), pass);
  }

  /** Options for a container of one step's own, with the smallest throughput. Only a key can create one. */
  ownContainer(name: string): Pick<CosmosProviderOptions, "container" | "throughput"> {
    if (this.place.key === undefined) return {};
    return {
      container: name,
      ...(this.facts.capacity === "provisioned" && { throughput: LEAST_RU }),
    };
  }

  /** Returns what `make` gave the first time, for steps that need the same. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = this.#options.made.get(name) ?? make();
    this.#options.made.set(name, made);
    return made as Promise<T>;
  }

  /** Removes the database with everything in it. Whether it is gone. */
  async clear(): Promise<boolean> {
    if (!this.#hasDatabase || this.place.key === undefined) return !this.#hasDatabase;
    const { status } = await this.raw.send({ method: "DELETE", link: this.databaseLink });
    return status === 204 || status === 404;
  }

  close(): void {
    this.raw.close();
  }

  async #open(): Promise<Items> {
    this.#hasDatabase = true;
    await using _opened = await openContainer(this.settings());
    return new Items(this.raw, this.containerLink);
  }

  #providerOptions(options: CosmosProviderOptions): CosmosProviderOptions {
    const { key, credential } = this.place;
    const usesKey = key !== undefined && options.credential === undefined;
    return {
      endpoint: this.endpoint.href,
      ...(usesKey ? { key } : credential !== undefined && { credential }),
      database: this.database,
      container: this.container,
      ...(usesKey && this.facts.capacity === "provisioned" && { throughput: PROVISIONED_RU }),
      ...(this.endpoint.protocol === "https:" && {
        acceptSelfSignedCertificate: !verifiesCertificates(this.place),
      }),
      onWarning: () => {},
      onRequest: ({ charge }) => this.#options.onCharge(charge),
      ...options,
    };
  }
}
