/** The official SDK against the endpoint, as programs use it. What goes over the wire is its business here. */
import { type Container, CosmosClient, type SqlQuerySpec } from "@azure/cosmos";
import { CosmosEmulator, type CosmosEmulatorOptions } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";

interface Opened extends AsyncDisposable {
  readonly emulator: CosmosEmulator;
  readonly client: CosmosClient;
  readonly container: Container;
}

async function open(options: CosmosEmulatorOptions = {}, isSession = false): Promise<Opened> {
  const emulator = await CosmosEmulator.start({ port: 0, ...options });
  const client = new CosmosClient({
    connectionString: emulator.connectionString,
    ...(isSession && { consistencyLevel: "Session" }),
  });
  const { database } = await client.databases.createIfNotExists({ id: "shop" });
  const { container } = await database.containers.createIfNotExists({
    id: "orders",
    partitionKey: "/customer",
  });
  const dispose = async (): Promise<void> => {
    client.dispose();
    await emulator.stop();
  };
  return { emulator, client, container, [Symbol.asyncDispose]: dispose };
}

const order = (n: number): { id: string; customer: string; n: number; even: boolean } => ({
  id: `order-${n}`,
  customer: `customer-${n % 7}`,
  n,
  even: n % 2 === 0,
});

async function fill(container: Container, count: number): Promise<void> {
  const bodies = Array.from({ length: count }, (_, n) => order(n));
  await Promise.all(bodies.map((body) => container.items.create(body)));
}

const all = async (container: Container, query: string | SqlQuerySpec): Promise<unknown[]> =>
  (await container.items.query(query).fetchAll()).resources;

describe("the SDK", () => {
  it("reads the account only once", async () => {
    await using opened = await open();
    await fill(opened.container, 5);
    const counts = opened.emulator.requestLog.since().byOperation;
    expect(counts.get("account.read")?.requests).toBe(1);
  });

  it("retries what is throttled", async () => {
    await using opened = await open();
    const effect = { kind: "error", status: 429, retryAfterMs: 1 } as const;
    opened.emulator.faults.add({ match: { operation: "item.create" }, next: 3, effect });
    expect((await opened.container.items.create(order(1))).statusCode).toBe(201);
    expect(opened.emulator.requestLog.since().byOperation.get("item.create")?.requests).toBe(4);
  });
});

describe.each([1, 3])("the SDK with %i physical partitions", (physicalPartitions) => {
  it.each([
    ["SELECT VALUE c.n FROM c ORDER BY c.n", Array.from({ length: 20 }, (_, n) => n)],
    ["SELECT VALUE c.n FROM c ORDER BY c.n DESC", Array.from({ length: 20 }, (_, n) => 19 - n)],
    ["SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n", [0, 1, 2]],
    ["SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 3", [5, 6, 7]],
    ["SELECT VALUE COUNT(1) FROM c", [20]],
    ["SELECT VALUE SUM(c.n) FROM c WHERE c.even", [90]],
    ["SELECT VALUE MAX(c.n) FROM c", [19]],
    ["SELECT VALUE MIN(c.n) FROM c", [0]],
    ["SELECT VALUE AVG(c.n) FROM c", [9.5]],
  ])("queries all of them: %s", async (query, expected) => {
    await using opened = await open({ physicalPartitions });
    await fill(opened.container, 20);
    expect(await all(opened.container, query)).toEqual(expected);
  });
});

describe("the SDK in a session", () => {
  it("reads its own writes although replicas lag behind", async () => {
    await using opened = await open({}, true);
    opened.emulator.faults.add({
      match: { operation: "read" },
      effect: { kind: "staleRead", writesBehind: 3 },
    });
    await opened.container.items.create(order(1));
    const item = opened.container.item("order-1", "customer-1");
    for (let n = 2; n < 6; n += 1) {
      await item.replace({ ...order(1), n });
      expect((await item.read()).resource?.n).toBe(n);
    }
  });

  it("without a session does not", async () => {
    await using opened = await open();
    await opened.container.items.create(order(1));
    opened.emulator.faults.add({
      match: { operation: "read" },
      effect: { kind: "staleRead", writesBehind: 1 },
    });
    expect((await opened.container.item("order-1", "customer-1").read()).statusCode).toBe(404);
  });
});
