/**
 * Cosmos DB: an endpoint for each store in this process, or a container for each store on the account that the
 * environment names. On an account time is real, because the service's advice to wait is meant for its clock.
 */
import { randomUUID } from "node:crypto";
import { CosmosProvider, type CosmosProviderOptions } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { IS_DEEP } from "../effort.ts";
import { connectionStringOf, openInProcess, requestsTo, type SendRequest } from "./in-process.ts";
import { removeContainer } from "./remove-container.ts";
import { Requests, UNHURRIED } from "./requests.ts";
import type { OpenedStore, StoreKind, StoreOptions } from "./store.ts";

const NAME = "Cosmos DB";

/** The store that the environment chooses. */
export const cosmos: StoreKind =
  (process.env["COSMOSDB_ENDPOINT"] ?? "") === ""
    ? { name: NAME, time: "virtual", open: openOnOwnEndpoint }
    : { name: NAME, time: "real", open: openOnAccount };

/** Sees every request, as in `CosmosProvider.connectThrough`. */
type Intercept = Parameters<typeof CosmosProvider.connectThrough>[1];

/** Whatever an idle process asks by the clock is a request that virtual time has to wait for. */
const RARELY = {
  pollIntervalMs: { max: 60_000 },
  reconcilerIntervalMs: 60_000,
  membership: { beatMs: 60_000 },
} satisfies CosmosProviderOptions;

/** On an endpoint of the test's own, which may hold only one store. Requests go through `send`, or through HTTP. */
export function cosmosOn(
  { connectionString }: Pick<CosmosEmulator, "connectionString">,
  options: CosmosProviderOptions = {},
  intercept: Intercept = (request, next) => next(request),
  send?: SendRequest,
): StoreKind {
  return {
    name: NAME,
    time: "virtual",
    async open({ clock, random }) {
      const requests = new Requests();
      return {
        traffic: requests,
        connect: () =>
          CosmosProvider.connectThrough(
            { connectionString, clock, random, ...UNHURRIED, ...RARELY, ...options },
            (request, next) => intercept(request, (passed) => requests.await((send ?? next)(passed))),
          ),
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}

/** Opens a store on an endpoint of its own, behind HTTP if the tests run whole. */
async function openOnOwnEndpoint(options: StoreOptions): Promise<OpenedStore> {
  if (!IS_DEEP) return openWithoutSocket(options);
  const emulator = await CosmosEmulator.start({ port: 0 });
  const store = await cosmosOn(emulator).open(options);
  return { ...store, [Symbol.asyncDispose]: () => emulator[Symbol.asyncDispose]() };
}

async function openWithoutSocket(options: StoreOptions): Promise<OpenedStore> {
  const endpoint = openInProcess();
  const connectionString = connectionStringOf(endpoint);
  const store = await cosmosOn({ connectionString }, {}, undefined, requestsTo(endpoint)).open(options);
  return { ...store, [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose]() };
}

async function openOnAccount(): Promise<OpenedStore> {
  const { COSMOSDB_ENDPOINT: endpoint = "", COSMOSDB_KEY: key = "", COSMOSDB_DATABASE } = process.env;
  const address = {
    endpoint,
    key,
    database: COSMOSDB_DATABASE || "duroxide",
    container: `e2e-${randomUUID()}`,
  };
  return {
    connect: () => CosmosProvider.connect(address),
    [Symbol.asyncDispose]: () => removeContainer(address),
  };
}
