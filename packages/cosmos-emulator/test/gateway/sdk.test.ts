/** The official SDK against the endpoint, as programs use it. What goes over the wire is its business here. */
import { type Container, CosmosClient } from "@azure/cosmos";
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

const order = (n: number): { id: string; customer: string; n: number } => ({
  id: `order-${n}`,
  customer: `customer-${n}`,
  n,
});

describe("the SDK", () => {
  it("reads the account only once", async () => {
    await using opened = await open();
    await Promise.all([1, 2, 3].map((n) => opened.container.items.create(order(n))));
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
