/** Cosmos DB for examples that are run without an account. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

/**
 * Starts a local endpoint if the environment names no account, and sets the environment of this process, and of those
 * that it starts, to its address.
 */
export async function startEndpointIfNeeded(physicalPartitions = 1): Promise<CosmosEmulator | undefined> {
  const { COSMOSDB_ENDPOINT, COSMOSDB_CONNECTION_STRING } = process.env;
  if (COSMOSDB_ENDPOINT !== undefined || COSMOSDB_CONNECTION_STRING !== undefined) return undefined;
  const endpoint = await CosmosEmulator.start({ port: 0, physicalPartitions });
  process.env["COSMOSDB_CONNECTION_STRING"] = endpoint.connectionString;
  return endpoint;
}
