/** An endpoint in memory with one container, and a raw client for it. */
import { CosmosEmulator, type CosmosEmulatorOptions } from "@duroxide-ts/cosmos-emulator";
import { eachWith } from "../../../../../test/support/each-with.ts";
import { RawClient, type RawRequest, type RawResponse } from "./raw-client.ts";

export const CONTAINER = "dbs/db/colls/items";

export class Fixture implements AsyncDisposable {
  readonly emulator: CosmosEmulator;
  readonly client: RawClient;

  private constructor(emulator: CosmosEmulator, now: (() => number) | undefined) {
    this.emulator = emulator;
    this.client = new RawClient(emulator, now);
  }

  /** Starts an endpoint with the database `db` and the container `items`, whose partition key is `/pk`. */
  static async start(options: CosmosEmulatorOptions = {}): Promise<Fixture> {
    const fixture = new Fixture(await CosmosEmulator.start({ port: 0, ...options }), options.now);
    const { client } = fixture;
    await client.signed("POST", { link: "", feed: "dbs" }, { body: '{"id":"db"}' });
    const container = { id: "items", partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 } };
    await client.signed("POST", { link: "dbs/db", feed: "colls" }, { body: JSON.stringify(container) });
    return fixture;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client[Symbol.dispose]();
    await this.emulator.stop();
  }

  create(item: object, headers: RawRequest["headers"] = {}): Promise<RawResponse> {
    return this.#docs(JSON.stringify(item), { ...keyOf((item as { pk?: string }).pk), ...headers });
  }

  upsert(item: object, headers: RawRequest["headers"] = {}): Promise<RawResponse> {
    return this.create(item, { "x-ms-documentdb-is-upsert": "true", ...headers });
  }

  item(method: string, pk: string, id: string, more: Partial<RawRequest> = {}): Promise<RawResponse> {
    const target = { link: `${CONTAINER}/docs/${id}`, type: "docs" };
    return this.client.signed(method, target, { ...more, headers: { ...keyOf(pk), ...more.headers } });
  }

  /** Declared atomic unless the headers say otherwise. */
  batch(
    pk: string,
    operations: readonly object[],
    headers: RawRequest["headers"] = {},
  ): Promise<RawResponse> {
    const flags = { "x-ms-cosmos-is-batch-request": "true", "x-ms-cosmos-batch-atomic": "true" };
    return this.#docs(JSON.stringify(operations), { ...keyOf(pk), ...flags, ...headers });
  }

  /** Queries all partitions unless `pk` is given. */
  query(query: string, pk?: string, headers: RawRequest["headers"] = {}): Promise<RawResponse> {
    const scope = pk === undefined ? { "x-ms-documentdb-query-enablecrosspartition": "True" } : keyOf(pk);
    const flags = { "x-ms-documentdb-isquery": "True", "content-type": "application/query+json" };
    return this.#docs(JSON.stringify({ query }), { ...flags, ...scope, ...headers });
  }

  #docs(body: string, headers: NonNullable<RawRequest["headers"]>): Promise<RawResponse> {
    return this.client.signed("POST", { link: CONTAINER, feed: "docs" }, { body, headers });
  }
}

export function keyOf(pk: string | undefined): { "x-ms-documentdb-partitionkey": string } {
  return { "x-ms-documentdb-partitionkey": JSON.stringify(pk === undefined ? [{}] : [pk]) };
}

/** A test with an endpoint of its own. */
export const withFixture = eachWith(() => Fixture.start());
