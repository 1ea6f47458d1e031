/** The program that the README shows, piece by piece; what came out of it is exported for the test. */

// #region start
import { CosmosClient } from "@azure/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

await using emulator = await CosmosEmulator.start({ port: 0 });
const client = new CosmosClient(emulator.connectionString);
const { database } = await client.databases.createIfNotExists({ id: "shop" });
const { container } = await database.containers.createIfNotExists({
  id: "orders",
  partitionKey: "/customer",
});
// #endregion

// #region use
await container.items.upsert({ id: "order-1", customer: "anna", total: 12 });
const { resource: order } = await container.item("order-1", "anna").read();

const query = "SELECT * FROM c WHERE c.customer = @customer AND c.total > @least ORDER BY c.total";
const parameters = [
  { name: "@customer", value: "anna" },
  { name: "@least", value: 10 },
];
const { resources: orders } = await container.items.query({ query, parameters }).fetchAll();
// #endregion

export const readOrder: unknown = order;
export const foundOrders: readonly unknown[] = orders;

// #region faults
emulator.faults.add({ match: { operation: "item.batch" }, rate: 0.1, effect: { kind: "loseResponse" } });
emulator.faults.add({
  match: { partitionKey: "anna" },
  next: 3,
  effect: { kind: "error", status: 429, retryAfterMs: 200 },
});
emulator.faults.setBudget("shop", "orders", 400);
emulator.faults.clockSkewMs = -60_000;
emulator.faults.clear();
// #endregion

// #region partitions
const names = { database: "shop", container: "orders" };
await emulator.partitions.split(names);
emulator.faults.add({ match: { range: "1" }, effect: { kind: "error", status: 429 } });
await emulator.partitions.merge({ ...names, completingMs: 50 });
// #endregion

emulator.faults.clear();

// #region requests
const mark = emulator.requestLog.mark();
await container.item("order-1", "anna").read();
const { total, byOperation } = emulator.requestLog.since(mark);
byOperation.get("item.read"); // { requests: 1, charge: 1 }
// #endregion

export const counted: readonly unknown[] = [total, byOperation.get("item.read")];

client.dispose();
