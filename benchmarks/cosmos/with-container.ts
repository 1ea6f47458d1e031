/** A fresh container for one measurement: on the local endpoint, or on the account that the environment names. */

import { CosmosClient } from "@azure/cosmos";
import { systemRandom } from "@duroxide-ts/core";
import { CosmosProvider, type CosmosProviderOptions, type RequestInfo } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

export interface ContainerOptions {
  /** Number of physical partitions of the local endpoint; 1 by default. */
  readonly physicalPartitions?: number;
  readonly onRequest?: (info: RequestInfo) => void;
}

/** Opens another provider on the container, as another process would. */
export type OpenProvider = (options?: CosmosProviderOptions) => Promise<CosmosProvider>;

export async function withContainer<T>(
  { physicalPartitions = 1, onRequest }: ContainerOptions,
  use: (provider: CosmosProvider, openAnother: OpenProvider) => Promise<T>,
): Promise<T> {
  const { COSMOSDB_ENDPOINT, COSMOSDB_KEY } = process.env;
  if (COSMOSDB_ENDPOINT !== undefined && COSMOSDB_KEY !== undefined) {
    return onAccount({ endpoint: COSMOSDB_ENDPOINT, key: COSMOSDB_KEY }, onRequest, use);
  }
  await using emulator = await CosmosEmulator.start({ port: 0, physicalPartitions });
  return await onAccount({ endpoint: emulator.endpoint, key: emulator.key }, onRequest, use);
}

async function onAccount<T>(
  account: { readonly endpoint: string; readonly key: string },
  onRequest: ContainerOptions["onRequest"],
  use: (provider: CosmosProvider, openAnother: OpenProvider) => Promise<T>,
): Promise<T> {
  const database = process.env["COSMOSDB_DATABASE"] ?? "duroxide";
  const container = `bench-${systemRandom.uuid().slice(0, 8)}`;
  const common = { ...account, database, container, ...(onRequest !== undefined && { onRequest }) };
  const opened: CosmosProvider[] = [];
  const open: OpenProvider = async (options = {}) => {
    const provider = await CosmosProvider.connect({ ...common, ...options });
    opened.push(provider);
    return provider;
  };
  try {
    return await use(await open(), open);
  } finally {
    for (const provider of opened) await provider.close();
    const client = new CosmosClient(account);
    await client.database(database).container(container).delete();
    client.dispose();
  }
}
