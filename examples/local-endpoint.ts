/** Cosmos DB for examples that are run without an account. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

/**
 * Where the environment names no account, a local endpoint stands in, and the environment leads to it: that of this
 * process and of those that it starts.
 */
export async function startEndpointIfNeeded(physicalPartitions = 1): Promise<CosmosEmulator | undefined> {
  const { COSMOSDB_ENDPOINT, COSMOSDB_CONNECTION_STRING } = process.env;
  if (COSMOSDB_ENDPOINT !== undefined || COSMOSDB_CONNECTION_STRING !== undefined) return undefined;
  const endpoint = await CosmosEmulator.start({ port: 0, physicalPartitions });
  process.env["COSMOSDB_CONNECTION_STRING"] = endpoint.connectionString;
  return endpoint;
}
