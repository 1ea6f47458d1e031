/** Where the orders are stored: in one SQLite file, or in a container of Azure Cosmos DB that the environment leads to. */
import type { Provider } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
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
