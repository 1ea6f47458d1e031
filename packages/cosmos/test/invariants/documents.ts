/** All documents of a container, as they are stored, read without any help of the provider. */
import { type Container, CosmosClient } from "@azure/cosmos";

export type Document = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly instanceId: string;
  readonly type: string;
};

export interface RawContainer extends Disposable {
  readonly container: Container;
}

export function rawContainer(connectionString: string, database: string, name: string): RawContainer {
  const client = new CosmosClient({ connectionString });
  const container = client.database(database).container(name);
  return { container, [Symbol.dispose]: () => client.dispose() };
}

export async function allDocuments(container: Container): Promise<readonly Document[]> {
  const { resources } = await container.items.query<Document>("SELECT * FROM c").fetchAll();
  return resources;
}
