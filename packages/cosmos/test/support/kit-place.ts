/**
 * The place of the validation kit's stores: a local endpoint, behind HTTP or without it, with a container for each; or
 * the account that the environment names (`COSMOSDB_ENDPOINT`, `COSMOSDB_KEY`), where a container serves one store
 * after the other, because creating one takes seconds there. On an account time is real: the service's advice to wait
 * is meant for its own clock.
 */
import { randomUUID } from "node:crypto";
import { type BulkOperationType, type Container, CosmosClient, type OperationInput } from "@azure/cosmos";
import type { CosmosProviderOptions } from "@duroxide-ts/cosmos";
import type { CosmosEmulator, InProcessEndpoint } from "@duroxide-ts/cosmos-emulator";
import {
  connectionStringOf,
  requestsTo,
  type SendRequest,
} from "../../../../test/support/stores/in-process.ts";
import { removeContainer } from "../../../../test/support/stores/remove-container.ts";

export interface KitPlace extends AsyncDisposable {
  readonly clock: "virtual" | "system";
  /** Called before the store is opened; disposed of when it is closed. */
  enter(storeId: string): Disposable;
  /** How a provider of the store connects. */
  optionsFor(storeId: string): CosmosProviderOptions;
  /** Sender of its requests, if they do not go through HTTP. */
  readonly send?: SendRequest;
  openContainer(storeId: string): { readonly client: CosmosClient; readonly container: Container };
  /** Removes what the store has written. */
  clear(container: Container, sessionToken?: string): Promise<void>;
}

const DATABASE = "kit";

export function onEndpoint(endpoint: () => CosmosEmulator): KitPlace {
  return {
    clock: "virtual",
    enter: () => ({ [Symbol.dispose]() {} }),
    optionsFor: (storeId) => ({
      connectionString: endpoint().connectionString,
      database: DATABASE,
      container: storeId,
    }),
    openContainer: (storeId) => open(new CosmosClient(endpoint().connectionString), DATABASE, storeId),
    async clear(container) {
      await container.delete();
    },
    async [Symbol.asyncDispose]() {},
  };
}

export function inProcess(endpoint: InProcessEndpoint): KitPlace {
  const connectionString = connectionStringOf(endpoint);
  const send = requestsTo(endpoint);
  return {
    clock: "virtual",
    enter: () => ({ [Symbol.dispose]() {} }),
    optionsFor: (storeId) => ({ connectionString, database: DATABASE, container: storeId }),
    send,
    openContainer(storeId) {
      const httpClient = { sendRequest: send };
      return open(new CosmosClient({ connectionString, httpClient }), DATABASE, storeId);
    },
    async clear(container) {
      await container.delete();
    },
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  };
}

/** `undefined` where the environment names none. */
export function onAccount(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): KitPlace | undefined {
  const { COSMOSDB_ENDPOINT: endpoint, COSMOSDB_KEY: key, COSMOSDB_DATABASE } = environment;
  if (endpoint === undefined || endpoint === "" || key === undefined) return undefined;
  const database = COSMOSDB_DATABASE || "duroxide";
  const free: string[] = [];
  const used = new Set<string>();
  const taken = new Map<string, string>();
  const addressOf = (storeId: string) => {
    const container = taken.get(storeId);
    if (container === undefined) throw new Error(`the store ${storeId} has not entered`);
    return { endpoint, key, database, container };
  };
  return {
    clock: "system",
    // A case may open several stores at once. If one waited for a free container, cases would wait for each other.
    enter(storeId) {
      const container = free.pop() ?? `kit-${randomUUID()}`;
      taken.set(storeId, container);
      used.add(container);
      return {
        [Symbol.dispose]() {
          taken.delete(storeId);
          free.push(container);
        },
      };
    },
    optionsFor: addressOf,
    openContainer(storeId) {
      const { container } = addressOf(storeId);
      // Without the level it would send no session tokens, and might read what is older than a write of the provider.
      return open(new CosmosClient({ endpoint, key, consistencyLevel: "Session" }), database, container);
    },
    clear: removeDocuments,
    async [Symbol.asyncDispose]() {
      for (const container of used) await removeContainer({ endpoint, key, database, container });
    },
  };
}

function open(
  client: CosmosClient,
  database: string,
  container: string,
): { readonly client: CosmosClient; readonly container: Container } {
  return { client, container: client.database(database).container(container) };
}

const MOST_OPERATIONS = 100;

async function removeDocuments(container: Container, sessionToken?: string): Promise<void> {
  const query = "SELECT c.id, c.instanceId FROM c";
  const options = sessionToken === undefined ? {} : { sessionToken };
  const { resources } = await container.items.query<Named>(query, options).fetchAll();
  for (const [instanceId, documents] of Map.groupBy(resources, (each) => each.instanceId)) {
    for (let from = 0; from < documents.length; from += MOST_OPERATIONS) {
      const some = documents.slice(from, from + MOST_OPERATIONS);
      await container.items.batch(some.map(toDeletion), instanceId);
    }
  }
}

interface Named {
  readonly id: string;
  readonly instanceId: string;
}

const DELETE: typeof BulkOperationType.Delete = "Delete";

function toDeletion({ id }: Named): OperationInput {
  return { operationType: DELETE, id };
}
