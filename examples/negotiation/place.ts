/** The container of the negotiations: on a local endpoint, or on the account that the environment names. */
import { type Container, CosmosClient } from "@azure/cosmos";

/** Short, so that no worker waits long for what a dead process held. */
export const LEASE_MS = 3_000;

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
