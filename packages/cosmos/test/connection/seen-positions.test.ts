/** Answers of replicas that lag behind, after the SDK has given up its session token: the real SDK, the local endpoint. */
import type { Container, OperationInput } from "@azure/cosmos";
import { VirtualClock } from "@duroxide-ts/core/testing";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { makeClient } from "../../src/connection/client.ts";
import type { Intercept } from "../../src/connection/http-client.ts";
import { settingsFor, startEndpoint } from "./fixture.ts";

interface Given extends AsyncDisposable {
  readonly emulator: CosmosEmulator;
  readonly container: Container;
  readonly clock: VirtualClock;
}

const DOCUMENT = { id: "a", instanceId: "i" };
const NAMES = { database: "db", container: "c" };
const LAGS = { kind: "error", status: 404, substatus: 1002 } as const;
const OLD = { match: { operation: "read" }, effect: { kind: "staleRead", writesBehind: 2 } } as const;
const IS_BEHIND = { name: "ServiceRefusal", statusCode: 404, substatus: 1002 };

/** A client that has written three states of a document, the last of which has n = 3. */
async function given(intercept?: Intercept): Promise<Given> {
  const emulator = await startEndpoint();
  const clock = new VirtualClock();
  const handle = makeClient(settingsFor(emulator, { clock }), intercept);
  const { database } = await handle.client.databases.create({ id: NAMES.database });
  const { container } = await database.containers.create({
    id: NAMES.container,
    partitionKey: "/instanceId",
  });
  for (const n of [1, 2, 3]) await container.items.upsert({ ...DOCUMENT, n });
  const dispose = async (): Promise<void> => {
    handle[Symbol.dispose]();
    await emulator.stop();
  };
  return { emulator, container, clock, [Symbol.asyncDispose]: dispose };
}

const byId = async ({ container }: Given): Promise<unknown> =>
  (await container.item(DOCUMENT.id, DOCUMENT.instanceId).read()).resource?.n;

const inPartition = async ({ container }: Given): Promise<unknown> => {
  const query = container.items.query<number>("SELECT VALUE c.n FROM c", {
    partitionKey: DOCUMENT.instanceId,
  });
  return (await query.fetchNext()).resources?.[0];
};

const inRange = async ({ container }: Given): Promise<unknown> => {
  const initialHeaders = { "x-ms-documentdb-partitionkeyrangeid": "0" };
  return (await container.items.query<number>("SELECT VALUE c.n FROM c", { initialHeaders }).fetchNext())
    .resources?.[0];
};

const READS = [
  ["a read", byId],
  ["a query of one partition key", inPartition],
  ["a query of a physical partition", inRange],
] as const;

/**
 * Replicas refuse a document's read until the SDK gives up its token (http-client.HC1), which the last of these reads
 * then is without.
 */
async function giveUpToken({ emulator, container }: Given): Promise<void> {
  emulator.faults.add({ match: { operation: "item.read" }, next: 3, effect: LAGS });
  const absent = container.item("absent", DOCUMENT.instanceId);
  for (let attempt = 1; attempt <= 3; attempt++) await absent.read().catch(() => {});
}

// seen-positions.SP1
it.each(READS)("%s does not go back behind what the process wrote", async (_name, read) => {
  await using fixture = await given();
  fixture.emulator.faults.add(OLD);
  await giveUpToken(fixture);
  await expect(read(fixture)).rejects.toMatchObject(IS_BEHIND);
  await expect(read(fixture)).rejects.toMatchObject(IS_BEHIND);
  fixture.emulator.faults.clear();
  expect(await read(fixture)).toBe(3);
});

// seen-positions.SP1
it("an absent document is not believed to a replica that lags behind", async () => {
  await using fixture = await given();
  await fixture.container.items.create({ id: "new", instanceId: DOCUMENT.instanceId });
  fixture.emulator.faults.add(OLD);
  await giveUpToken(fixture);
  const read = fixture.container.item("new", DOCUMENT.instanceId).read();
  await expect(read).rejects.toMatchObject(IS_BEHIND);
});

// seen-positions.SP1
it("an answer may be older than what was written after its request was sent", async () => {
  const held = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await using fixture = await given(async (request, next) => {
    const response = await next(request);
    if (request.method !== "GET" || !request.url.includes("/docs/")) return response;
    answered.resolve();
    await held.promise;
    return response;
  });
  const reading = byId(fixture);
  await answered.promise;
  await fixture.container.items.upsert({ ...DOCUMENT, n: 4 });
  held.resolve();
  expect(await reading).toBe(3);
});

const REFUSED: readonly [number, OperationInput][] = [
  [404, { operationType: "Delete", id: "absent" }],
  [409, { operationType: "Create", resourceBody: DOCUMENT }],
  [412, { operationType: "Replace", id: DOCUMENT.id, resourceBody: DOCUMENT, ifMatch: '"wrong"' }],
];

// seen-positions.SP1, seen-positions.SP4
describe.each(REFUSED)("after a write that is refused with %i", (status, operation) => {
  async function refusedAfterAnother(): Promise<Given> {
    const fixture = await given();
    const another = makeClient(settingsFor(fixture.emulator, { clock: fixture.clock }));
    const { container } = fixture;
    await another.client
      .database(NAMES.database)
      .container(NAMES.container)
      .items.upsert({ ...DOCUMENT, n: 4 });
    another[Symbol.dispose]();
    const { result } = await container.items.batch([operation], DOCUMENT.instanceId);
    expect(result?.[0]?.statusCode).toBe(status);
    fixture.emulator.faults.add(OLD);
    return fixture;
  }

  it.each(READS)("%s shows what another process wrote before", async (_name, read) => {
    await using fixture = await refusedAfterAnother();
    expect(await read(fixture)).toBe(4);
    await giveUpToken(fixture);
    await expect(read(fixture)).rejects.toMatchObject(IS_BEHIND);
  });
});

// seen-positions.SP2
it("answers count anew after a failover, and in a container that was created again", async () => {
  await using fixture = await given();
  const { emulator, container } = fixture;
  emulator.partitions.failover(NAMES);
  await giveUpToken(fixture);
  expect(await byId(fixture)).toBe(3);
  await container.delete();
  await container.database.containers.create({ id: NAMES.container, partitionKey: "/instanceId" });
  await giveUpToken(fixture);
  expect(await inPartition(fixture)).toBeUndefined();
  expect(await byId(fixture)).toBeUndefined();
});

// seen-positions.SP3
it("a position that no replica reaches for a minute is forgotten", async () => {
  await using fixture = await given();
  const { emulator, clock } = fixture;
  emulator.faults.add(OLD);
  await giveUpToken(fixture);
  for (let forMs = 0; forMs < 60_000; forMs += 5_000) {
    await expect(byId(fixture)).rejects.toMatchObject(IS_BEHIND);
    await clock.advance(5_000);
  }
  expect(await byId(fixture)).toBe(1);
});

// seen-positions.SP3
it("a clock that is set forward by an hour does not make a position forgotten", async () => {
  await using fixture = await given();
  const { emulator, clock } = fixture;
  emulator.faults.add(OLD);
  await giveUpToken(fixture);
  await expect(byId(fixture)).rejects.toMatchObject(IS_BEHIND);
  await clock.advance(3_600_000);
  await expect(byId(fixture)).rejects.toMatchObject(IS_BEHIND);
});
