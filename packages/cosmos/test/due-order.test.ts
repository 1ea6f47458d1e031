/** The order in which queries for due work ask for it, on containers with the index for it and without. */
import { CosmosClient } from "@azure/cosmos";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import {
  activity,
  fetchOrchestration,
  fetchWork,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { QueryCapture } from "../azure-check/queries/capture.ts";
import { containerDefinition, indexingPolicy } from "../src/connection/container-definition.ts";
import { startEndpoint } from "./connection/fixture.ts";

let emulator: CosmosEmulator;
let containers = 0;
beforeAll(async () => {
  emulator = await startEndpoint();
});
afterAll(() => emulator[Symbol.asyncDispose]());

const LOCK_MS = 30_000;

/** Returns the policy without the index for the order of due work. */
function policyWithout(): ReturnType<typeof indexingPolicy> {
  const policy = indexingPolicy();
  const isDueOrder = (paths: readonly { readonly path: string }[]): boolean =>
    paths.map(({ path }) => path).join() === "/type,/visibleAt,/enqueuedAt";
  return { ...policy, compositeIndexes: (policy.compositeIndexes ?? []).filter((each) => !isDueOrder(each)) };
}

class Place implements AsyncDisposable {
  readonly container: string = `due-order-${containers++}`;
  readonly client: CosmosClient = new CosmosClient(emulator.connectionString);
  readonly warnings: string[] = [];
  readonly #capture = new QueryCapture();
  readonly #opened: CosmosProvider[] = [];

  async create(policy: ReturnType<typeof indexingPolicy>): Promise<void> {
    const { database } = await this.client.databases.createIfNotExists({ id: "duroxide" });
    await database.containers.create({ ...containerDefinition(this.container), indexingPolicy: policy });
  }

  async replacePolicy(policy: ReturnType<typeof indexingPolicy>): Promise<void> {
    const container = this.client.database("duroxide").container(this.container);
    await container.replace({ ...containerDefinition(this.container), indexingPolicy: policy });
  }

  async open(): Promise<CosmosProvider> {
    const { connectionString } = emulator;
    const { container } = this;
    const onWarning = (warning: string): number => this.warnings.push(warning);
    const options = { connectionString, container, membership: false, onWarning } as const;
    const provider = await CosmosProvider.connectThrough(options, this.#capture.intercept);
    this.#opened.push(provider);
    return provider;
  }

  /** Orders of the queries for due work of one type. */
  get orders(): readonly string[] {
    const due = this.#capture.queries.filter(({ text }) =>
      /c\.type = '\w+_queue' AND c\.visibleAt/.test(text),
    );
    return [...new Set(due.map(({ text }) => text.split("ORDER BY ")[1] ?? ""))];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const provider of this.#opened) await provider.close();
    this.client.dispose();
  }
}

async function findsWork(provider: CosmosProvider, instanceId: string): Promise<void> {
  const caller = { provider, lockMs: LOCK_MS };
  await provider.enqueueForOrchestrator(startItem(instanceId));
  await provider.enqueueForWorker(activity(instanceId, 1));
  expect((await fetchOrchestration(caller))?.item.instanceId).toBe(instanceId);
  expect((await fetchWork(caller))?.item.instance).toBe(instanceId);
}

it("names the type first, which the filter fixes, so that the index over both serves it", async () => {
  await using place = new Place();
  await findsWork(await place.open(), "a");
  expect(place.orders).toEqual(["c.type, c.visibleAt, c.enqueuedAt"]);
});

it("is by time alone on a container without that index, which would refuse the other one", async () => {
  await using place = new Place();
  await place.create(policyWithout());
  await findsWork(await place.open(), "a");
  expect(place.orders).toEqual(["c.visibleAt"]);
});

// service.SV1
it("is by time alone once a container has lost the index, after one failed fetch and a warning", async () => {
  await using place = new Place();
  const provider = await place.open();
  await findsWork(provider, "a");
  await place.replacePolicy(policyWithout());
  await expect(fetchOrchestration({ provider, lockMs: LOCK_MS })).rejects.toMatchObject({ code: "internal" });
  await findsWork(provider, "b");
  expect(place.warnings).toEqual([expect.stringContaining("(/type, /visibleAt, /enqueuedAt)")]);
});
