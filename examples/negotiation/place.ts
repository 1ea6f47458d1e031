/** Where the negotiations are: in a container of a local endpoint, or of the account that the environment names. */
import { type Container, CosmosClient } from "@azure/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

/** Short, so that nobody has to wait long for what a dead process held. */
export const LEASE_MS = 3_000;

/**
 * Where the environment names no account, a local endpoint stands in, and the environment leads to it: that of this
 * process and of those that it starts.
 */
export async function startEndpointIfNeeded(): Promise<CosmosEmulator | undefined> {
  const { COSMOSDB_ENDPOINT, COSMOSDB_CONNECTION_STRING } = process.env;
  if (COSMOSDB_ENDPOINT !== undefined || COSMOSDB_CONNECTION_STRING !== undefined) return undefined;
  const endpoint = await CosmosEmulator.start({ port: 0, physicalPartitions: 2 });
  process.env["COSMOSDB_CONNECTION_STRING"] = endpoint.connectionString;
  return endpoint;
}

export function connect(): CosmosClient {
  const { COSMOSDB_ENDPOINT: endpoint = "", COSMOSDB_KEY: key = "" } = process.env;
  const { COSMOSDB_CONNECTION_STRING: connectionString } = process.env;
  return connectionString === undefined
    ? new CosmosClient({ endpoint, key })
    : new CosmosClient(connectionString);
}

export function containerOf(client: CosmosClient, name: string): Container {
  return client.database(process.env["COSMOSDB_DATABASE"] ?? "duroxide").container(name);
}

export async function createContainer(client: CosmosClient, name: string): Promise<Container> {
  const { database } = await client.databases.createIfNotExists({
    id: process.env["COSMOSDB_DATABASE"] ?? "duroxide",
  });
  const { container } = await database.containers.create({ id: name, partitionKey: { paths: ["/market"] } });
  return container;
}
