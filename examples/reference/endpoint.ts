/** A test that makes the local endpoint behave like a bad day of Cosmos DB. */
import { CosmosEmulator, type ExplorerFile } from "@duroxide-ts/cosmos-emulator";

const ORDERS = { database: "shop", container: "orders" };

export async function badDay({ faults, partitions }: CosmosEmulator): Promise<void> {
  faults.add({
    match: { operation: "write", database: "shop" },
    effect: { kind: "operationError", status: 409, index: 1, operationType: "Create" },
    next: 1,
  });
  await partitions.split({ database: "shop", container: "orders" });
  await partitions.merge({ database: "shop", container: "orders", completingMs: 50 });
  await partitions.migrate({ database: "shop", container: "orders", forMs: 50 });
  partitions.failover(ORDERS);
}

export function printRequests({ requestLog }: CosmosEmulator): void {
  for (const {
    operation = "?",
    partitionKey = "",
    status,
    substatus = 0,
    fromExplorer,
  } of requestLog.entries())
    if (!fromExplorer) console.log(`${operation} ${partitionKey}: ${status}/${substatus}`);
}

/** An endpoint whose page is one's own. */
export function withPage(): Promise<CosmosEmulator> {
  const page: ExplorerFile = { contentType: "text/html", body: "<h1>Orders</h1>" };
  return CosmosEmulator.start({ port: 0, explorer: (path) => (path === "" ? page : undefined) });
}
