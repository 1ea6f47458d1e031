/** Where the orders are stored: in one SQLite file, or in a container of Azure Cosmos DB that the environment leads to. */
import type { Provider } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { SqliteProvider } from "@duroxide-ts/sqlite";

export interface Place {
  /** In a folder of its own, where the ledger is too. */
  readonly databaseFile: string;
  /** Instead of the file. */
  readonly container?: string;
}

export function openStore({ databaseFile, container }: Place): Promise<Provider> {
  return container === undefined
    ? SqliteProvider.open(databaseFile)
    : CosmosProvider.fromEnvironment(process.env, { container });
}

/**
 * Where the environment names no account, a local endpoint stands in, and the environment leads to it: that of this
 * process and of those that it starts.
 */
export async function startEndpointIfNeeded(): Promise<CosmosEmulator | undefined> {
  const { COSMOSDB_ENDPOINT, COSMOSDB_CONNECTION_STRING } = process.env;
  if (COSMOSDB_ENDPOINT !== undefined || COSMOSDB_CONNECTION_STRING !== undefined) return undefined;
  const endpoint = await CosmosEmulator.start({ port: 0 });
  process.env["COSMOSDB_CONNECTION_STRING"] = endpoint.connectionString;
  return endpoint;
}
