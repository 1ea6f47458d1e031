/** The official SDK against the endpoint, as programs use it. What goes over the wire is its business here. */
import {
  ChangeFeedStartFrom,
  type Container,
  CosmosClient,
  PatchOperationType,
  type SqlQuerySpec,
} from "@azure/cosmos";
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
  it("creates, reads, changes and deletes an item", async () => {
    await using opened = await open();
    const { container } = opened;
    const { resource: created, statusCode } = await container.items.create(order(1));
    expect([statusCode, created?.n]).toEqual([201, 1]);
    const item = container.item("order-1", "customer-1");
    expect((await item.read()).resource).toEqual(created);
    await item.replace({ ...order(1), n: 2 });
    await item.patch([{ op: PatchOperationType.incr, path: "/n", value: 5 }]);
    const condition = { accessCondition: { type: "IfMatch", condition: String(created?._etag) } };
    await expect(item.replace(order(1), condition)).rejects.toMatchObject({ code: 412 });
    expect((await container.items.upsert({ ...order(1), n: 8 })).statusCode).toBe(200);
    await item.delete();
    expect((await item.read()).statusCode).toBe(404);
    await expect(item.delete()).rejects.toMatchObject({ code: 404 });
  });

  it("reads the account only once", async () => {
    await using opened = await open();
    await fill(opened.container, 5);
    const counts = opened.emulator.requestLog.since().byOperation;
    expect(counts.get("account.read")?.requests).toBe(1);
  });

  it("finds databases, containers and their throughput", async () => {
    await using opened = await open();
    const { client } = opened;
    const { database } = await client.databases.createIfNotExists({ id: "shop" });
    expect(
      (await client.databases.query("SELECT * FROM r WHERE r.id = 'shop'").fetchAll()).resources,
    ).toHaveLength(1);
    const autoscale = { id: "scaled", partitionKey: "/pk", maxThroughput: 4000 };
    const { container } = await database.containers.create(autoscale);
    const offer = await container.readOffer();
    expect(offer.resource?.content?.offerAutopilotSettings).toMatchObject({ maxThroughput: 4000 });
    const { resource: plain } = await opened.container.readOffer();
    expect(plain?.content?.offerThroughput).toBe(400);
    const names = (await database.containers.readAll().fetchAll()).resources.map(({ id }) => id);
    expect(names).toEqual(["orders", "scaled"]);
  });

  it("runs a batch, whole or not at all", async () => {
    await using opened = await open();
    const { items } = opened.container;
    const create = (id: string) =>
      ({ operationType: "Create", resourceBody: { id, customer: "c" } }) as const;
    const good = await items.batch([create("a"), create("b")], "c");
    expect([good.code, good.result?.map(({ statusCode }) => statusCode)]).toEqual([200, [201, 201]]);
    const bad = await items.batch([create("c"), create("a")], "c");
    expect([bad.code, bad.result?.map(({ statusCode }) => statusCode)]).toEqual([207, [424, 409]]);
    expect(await all(opened.container, "SELECT VALUE c.id FROM c WHERE c.customer = 'c'")).toEqual([
      "a",
      "b",
    ]);
  });

  it("sees the status of a batch that is refused as a whole", async () => {
    await using opened = await open();
    opened.emulator.faults.add({
      match: { operation: "item.batch" },
      effect: { kind: "error", status: 449 },
    });
    const batch = opened.container.items.batch([{ operationType: "Read", id: "a" }], "c");
    await expect(batch).rejects.toMatchObject({ cause: { code: 449 } });
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
  it("writes in bulk", async () => {
    await using opened = await open({ physicalPartitions });
    const operations = Array.from({ length: 30 }, (_, n) => ({
      operationType: "Create" as const,
      partitionKey: order(n).customer,
      resourceBody: order(n),
    }));
    const results = await opened.container.items.executeBulkOperations(operations);
    expect(results.map(({ response }) => response?.statusCode)).toEqual(operations.map(() => 201));
    expect(await all(opened.container, "SELECT VALUE COUNT(1) FROM c")).toEqual([30]);
  });

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

  it("queries all of them for groups and distinct values", async () => {
    await using opened = await open({ physicalPartitions });
    await fill(opened.container, 20);
    const groups = await all(opened.container, "SELECT c.even, COUNT(1) AS n FROM c GROUP BY c.even");
    expect(groups).toHaveLength(2);
    expect(groups).toEqual(
      expect.arrayContaining([
        { even: true, n: 10 },
        { even: false, n: 10 },
      ]),
    );
    const distinct = await all(opened.container, "SELECT DISTINCT VALUE c.customer FROM c");
    expect([...distinct].sort()).toEqual(Array.from({ length: 7 }, (_, n) => `customer-${n}`));
  });

  it("queries with parameters, in pages, without losing or repeating rows", async () => {
    await using opened = await open({ physicalPartitions });
    await fill(opened.container, 20);
    const parameters = [{ name: "@least", value: 5 }];
    const query = { query: "SELECT VALUE c.n FROM c WHERE c.n >= @least", parameters };
    const found: number[] = [];
    const iterator = opened.container.items.query<number>(query, { maxItemCount: 3 });
    while (iterator.hasMoreResults()) found.push(...((await iterator.fetchNext()).resources ?? []));
    expect([...found].sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, n) => n + 5));
  });

  it("reads all changes, by partition and from a continuation on", async () => {
    await using opened = await open({ physicalPartitions });
    await fill(opened.container, 10);
    const read = async (startFrom: ChangeFeedStartFrom): Promise<{ ids: string[]; token: string }> => {
      const iterator = opened.container.items.getChangeFeedIterator({ changeFeedStartFrom: startFrom });
      const ids: string[] = [];
      let token = "";
      let quiet = 0;
      while (quiet < physicalPartitions + 1) {
        const page = await iterator.readNext();
        quiet = page.statusCode === 304 ? quiet + 1 : 0;
        ids.push(...page.result.map(({ id }: { id: string }) => id));
        token = page.continuationToken;
      }
      return { ids, token };
    };
    const first = await read(ChangeFeedStartFrom.Beginning());
    expect([...first.ids].sort()).toEqual(Array.from({ length: 10 }, (_, n) => order(n).id).sort());
    await opened.container.items.upsert({ ...order(4), n: 40 });
    expect((await read(ChangeFeedStartFrom.Continuation(first.token))).ids).toEqual(["order-4"]);
  });
});

describe("the SDK and stored procedures", () => {
  it("creates, executes and deletes one", async () => {
    await using opened = await open();
    const { storedProcedures } = opened.container.scripts;
    const body = `function (n) {
      var c = getContext().getCollection();
      c.patchDocument(c.getAltLink() + "/docs/a", [{ op: "incr", path: "/n", value: n }], function (error, item) {
        if (error) throw error;
        getContext().getResponse().setBody(item.n);
      });
    }`;
    await storedProcedures.create({ id: "count", body });
    const procedure = opened.container.scripts.storedProcedure("count");
    await expect(procedure.execute("x", [1])).rejects.toMatchObject({ code: 400 });
    await opened.container.items.create({ id: "a", customer: "x", n: 1 });
    const { resource, requestCharge } = await procedure.execute("x", [41]);
    expect(resource).toBe(42);
    expect(requestCharge).toBeGreaterThan(4);
    expect((await opened.container.item("a", "x").read()).resource?.n).toBe(42);
    await procedure.delete();
    await expect(procedure.execute("x", [1])).rejects.toMatchObject({ code: 404 });
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
