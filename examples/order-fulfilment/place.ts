/** The store of the orders: one SQLite file, or a container of Azure Cosmos DB that the environment names. */
import type { Provider } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { SqliteProvider } from "@duroxide-ts/sqlite";

export interface Place {
  /** Path of the SQLite file, in a folder of its own, where the ledger is too. */
  readonly databaseFile: string;
  /** Name of a container that is used instead of the file. */
  readonly container?: string;
}

export function openStore({ databaseFile, container }: Place): Promise<Provider> {
  return container === undefined
    ? SqliteProvider.open(databaseFile)
    : CosmosProvider.fromEnvironment(process.env, { container });
}
