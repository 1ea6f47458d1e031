import type { FaultRule } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { TokenBucket } from "../../src/gateway/faults/token-bucket.ts";
import { Fixture, withFixture } from "./support/fixture.ts";

const read = (fixture: Fixture, id = "a", pk = "p"): Promise<number> =>
  fixture.item("GET", pk, id).then(({ status }) => status);

describe("a fault rule", () => {
  it.each([408, 410, 449, 500, 503])(
    "answers %i with a body, and the operation does not happen",
    async (status) => {
      await using fixture = await Fixture.start();
      fixture.emulator.faults.add({ next: 1, effect: { kind: "error", status } });
      const refused = await fixture.create({ id: "a", pk: "p" });
      expect([refused.status, typeof refused.json.message]).toEqual([status, "string"]);
      expect(await read(fixture)).toBe(404);
    },
  );

  it("throttles with 3200, advice when to retry, and the charge of a throttled request", async () => {
    await using fixture = await Fixture.start();
    fixture.emulator.faults.add({ next: 1, effect: { kind: "error", status: 429, retryAfterMs: 286 } });
    const { status, headers } = await fixture.create({ id: "a", pk: "p" });
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      "x-ms-substatus": "3200",
      "x-ms-retry-after-ms": "286",
      "x-ms-request-charge": "0.38",
    });
    expect(headers["retry-after"]).toBeUndefined();
  });

  withFixture("may name a sub-status", async (fixture) => {
    fixture.emulator.faults.add({ effect: { kind: "error", status: 410, substatus: 1002 } });
    const { status, headers } = await fixture.item("GET", "p", "a");
    expect([status, headers["x-ms-substatus"]]).toEqual([410, "1002"]);
  });

  withFixture("resets the connection before anything happens", async (fixture) => {
    fixture.emulator.faults.add({ next: 1, effect: { kind: "reset" } });
    await expect(fixture.create({ id: "a", pk: "p" })).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await read(fixture)).toBe(404);
  });

  withFixture("loses the answer to an operation that was executed", async (fixture) => {
    fixture.emulator.faults.add({ next: 1, effect: { kind: "loseResponse" } });
    await expect(fixture.create({ id: "a", pk: "p" })).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await read(fixture)).toBe(200);
  });

  withFixture("loses a refusal too", async (fixture) => {
    await fixture.create({ id: "a", pk: "p" });
    fixture.emulator.faults.add({ next: 1, effect: { kind: "loseResponse" } });
    await expect(fixture.create({ id: "a", pk: "p" })).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("delays an operation, by the sum of all delays", async () => {
    const waits: number[] = [];
    const wait = async (delayMs: number): Promise<void> => void waits.push(delayMs);
    await using fixture = await Fixture.start({ wait });
    fixture.emulator.faults.add({ effect: { kind: "delay", delayMs: 500 } });
    fixture.emulator.faults.add({ effect: { kind: "delay", delayMs: 20 } });
    expect((await fixture.create({ id: "a", pk: "p" })).status).toBe(201);
    expect(waits).toEqual([520]);
  });

  withFixture("hits only the operations that it names", async (fixture) => {
    const effect = { kind: "error", status: 503 } as const;
    fixture.emulator.faults.add({ match: { operation: ["item.batch", "item.upsert"] }, effect });
    expect((await fixture.create({ id: "a", pk: "p" })).status).toBe(201);
    expect((await fixture.upsert({ id: "a", pk: "p" })).status).toBe(503);
    expect((await fixture.batch("p", [{ operationType: "Read", id: "a" }])).status).toBe(503);
    fixture.emulator.faults.clear();
    fixture.emulator.faults.add({ match: { operation: "write" }, effect });
    expect((await fixture.item("DELETE", "p", "a")).status).toBe(503);
    expect(await read(fixture)).toBe(200);
  });

  withFixture("hits only the container and the partition key that it names", async (fixture) => {
    await fixture.create({ id: "a", pk: "p" });
    await fixture.create({ id: "a", pk: "q" });
    const effect = { kind: "error", status: 503 } as const;
    fixture.emulator.faults.add({ match: { container: "items", partitionKey: "q" }, effect });
    fixture.emulator.faults.add({ match: { container: "others" }, effect });
    expect([await read(fixture), await read(fixture, "a", "q")]).toEqual([200, 503]);
  });

  withFixture("skips some requests, hits some, and ends", async (fixture) => {
    await fixture.create({ id: "a", pk: "p" });
    const id = fixture.emulator.faults.add({ skip: 1, next: 2, effect: { kind: "error", status: 503 } });
    const statuses = [await read(fixture), await read(fixture)];
    expect(fixture.emulator.faults.list()).toMatchObject([{ id, hits: 1 }]);
    statuses.push(await read(fixture), await read(fixture));
    expect(statuses).toEqual([200, 503, 503, 200]);
    expect(fixture.emulator.faults.list()).toEqual([]);
  });

  it("hits at a rate, in the same places for the same seed", async () => {
    const run = async (seed: number): Promise<number[]> => {
      await using fixture = await Fixture.start({ seed });
      fixture.emulator.faults.add({ rate: 0.5, effect: { kind: "error", status: 503 } });
      const statuses: number[] = [];
      for (let n = 0; n < 40; n += 1) statuses.push(await read(fixture));
      return statuses;
    };
    const [first, again, other] = [await run(7), await run(7), await run(8)];
    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
    expect(new Set(first)).toEqual(new Set([404, 503]));
  });

  withFixture("can be ended by its id", async (fixture) => {
    const id = fixture.emulator.faults.add({ effect: { kind: "error", status: 503 } });
    expect([fixture.emulator.faults.remove(id), fixture.emulator.faults.remove(id)]).toEqual([true, false]);
    expect(await read(fixture)).toBe(404);
  });

  it.each([
    ["without an effect", {}],
    ["with an unknown effect", { effect: { kind: "explode" } }],
    ["with a status that is no error", { effect: { kind: "error", status: 200 } }],
    ["with a rate above 1", { rate: 2, effect: { kind: "reset" } }],
    ["with a misspelt member", { retries: 2, effect: { kind: "reset" } }],
    ["with a misspelt match", { match: { collection: "x" }, effect: { kind: "reset" } }],
    ["with an unknown operation", { match: { operation: "item.creat" }, effect: { kind: "reset" } }],
    [
      "with an unknown one among several",
      { match: { operation: ["item.read", 7] }, effect: { kind: "reset" } },
    ],
    ["with a partition key that is none", { match: { partitionKey: { a: 1 } }, effect: { kind: "reset" } }],
    [
      "with an unknown type of operation",
      { effect: { kind: "operationError", status: 403, operationType: "Add" } },
    ],
    ["with a delay below 0", { effect: { kind: "delay", delayMs: -1 } }],
  ])("%s is refused when it is added", async (_, rule) => {
    await using fixture = await Fixture.start();
    expect(() => fixture.emulator.faults.add(rule as FaultRule)).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  });
});

describe("a fault in one operation of a batch", () => {
  const create = (id: string): object => ({ operationType: "Create", resourceBody: { id, pk: "p" } });
  const remove = (id: string): object => ({ operationType: "Delete", id });
  const statuses = (batch: unknown): number[] =>
    (batch as { readonly statusCode: number }[]).map(({ statusCode }) => statusCode);

  it.each([
    [403, 1014],
    [403, 3],
    [413, undefined],
    [449, undefined],
    [400, undefined],
  ])("answers 207 with %i/%s there and 424 elsewhere, and nothing is stored", async (status, substatus) => {
    await using fixture = await Fixture.start();
    const effect = { kind: "operationError", index: 1, status, ...(substatus && { substatus }) } as const;
    fixture.emulator.faults.add({ next: 1, effect });
    const batch = [create("a"), create("b"), create("c")];
    const refused = await fixture.batch("p", batch);
    expect([refused.status, statuses(refused.json)]).toEqual([207, [424, status, 424]]);
    expect(refused.headers["x-ms-substatus"]).toBe(substatus?.toString());
    expect([await read(fixture, "a"), await read(fixture, "c")]).toEqual([404, 404]);
    expect((await fixture.batch("p", batch)).status).toBe(200);
  });

  withFixture("throttles with 3200 and advice when to retry in the headers of the batch", async (fixture) => {
    fixture.emulator.faults.add({ effect: { kind: "operationError", status: 429, retryAfterMs: 120 } });
    const { status, json, headers } = await fixture.batch("p", [create("a"), create("b")]);
    expect([status, statuses(json)]).toEqual([207, [429, 424]]);
    expect(headers).toMatchObject({ "x-ms-substatus": "3200", "x-ms-retry-after-ms": "120" });
  });

  withFixture("hits the first operation of a type", async (fixture) => {
    await fixture.create({ id: "a", pk: "p" });
    const effect = { kind: "operationError", operationType: "Delete", status: 403 } as const;
    fixture.emulator.faults.add({ effect });
    const { json } = await fixture.batch("p", [create("b"), remove("a"), remove("a")]);
    expect(statuses(json)).toEqual([424, 403, 424]);
  });

  withFixture("neither hits nor counts requests without such an operation", async (fixture) => {
    const effect = { kind: "operationError", operationType: "Delete", index: 1, status: 403 } as const;
    fixture.emulator.faults.add({ next: 1, effect });
    expect((await fixture.create({ id: "a", pk: "p" })).status).toBe(201);
    expect((await fixture.batch("p", [create("b"), create("c")])).status).toBe(200);
    expect((await fixture.batch("p", [remove("b")])).status).toBe(200);
    expect(fixture.emulator.faults.list()).toMatchObject([{ hits: 0 }]);
    expect(statuses((await fixture.batch("p", [create("d"), remove("c")])).json)).toEqual([424, 403]);
  });
});

describe("a budget of request units", () => {
  withFixture("refuses with 429/3200 once it is overdrawn, and tells when to come back", async (fixture) => {
    fixture.emulator.faults.setBudget("db", "items", 1);
    expect((await fixture.create({ id: "a", pk: "p" })).status).toBe(201);
    const { status, headers } = await fixture.item("GET", "p", "a");
    expect([status, headers["x-ms-substatus"]]).toEqual([429, "3200"]);
    expect(Number(headers["x-ms-retry-after-ms"])).toBeGreaterThan(1_000);
    fixture.emulator.faults.setBudget("db", "items", undefined);
    expect(await read(fixture)).toBe(200);
  });

  withFixture("of nothing is refused", async (fixture) => {
    for (const units of [0, -1, Number.NaN]) {
      const set = (): void => fixture.emulator.faults.setBudget("db", "items", units);
      expect(set).toThrow(expect.objectContaining({ status: 400 }));
    }
  });

  it("fills with time, up to one second's worth", () => {
    const bucket = new TokenBucket(100, 0);
    expect(bucket.waitMs(0)).toBe(0);
    bucket.take(150, 0);
    expect(bucket.waitMs(0)).toBe(500);
    expect(bucket.waitMs(400)).toBe(100);
    expect(bucket.waitMs(600)).toBe(0);
    bucket.take(100, 60_000);
    expect(bucket.waitMs(60_000)).toBe(1);
  });
});

describe("a clock that is wrong", () => {
  it("shows in Date, in _ts and in GetCurrentTimestamp", async () => {
    const nowMs = Date.UTC(2026, 0, 1);
    await using fixture = await Fixture.start({ now: () => nowMs });
    fixture.emulator.faults.clockSkewMs = 60_000;
    const { json, headers } = await fixture.create({ id: "a", pk: "p" });
    expect(json._ts).toBe(nowMs / 1000 + 60);
    expect(Date.parse(String(headers["date"]))).toBe(nowMs + 60_000);
    const { json: found } = await fixture.query("SELECT VALUE GetCurrentTimestamp() FROM c", "p");
    expect(found.Documents).toEqual([nowMs + 60_000]);
  });

  withFixture("makes signatures too old when it is far off", async (fixture) => {
    fixture.emulator.faults.clockSkewMs = 16 * 60_000;
    expect(await read(fixture)).toBe(403);
    fixture.emulator.faults.clear();
    expect(await read(fixture)).toBe(404);
  });
});

describe("faults over HTTP", () => {
  withFixture("are added, listed and ended", async (fixture) => {
    const send = (method: string, path: string, body?: object) =>
      fixture.client.send({ method, path, ...(body && { body: JSON.stringify(body) }) });
    const rule = { match: { operation: "item.read" }, effect: { kind: "error", status: 503 } };
    const { status, json } = await send("POST", "/_emulator/faults", rule);
    expect([status, json]).toEqual([201, { id: 1 }]);
    expect(await read(fixture)).toBe(503);
    expect((await send("GET", "/_emulator/faults")).json).toEqual({ faults: [{ id: 1, rule, hits: 1 }] });
    expect((await send("DELETE", "/_emulator/faults/1")).status).toBe(204);
    expect((await send("DELETE", "/_emulator/faults/1")).status).toBe(404);
    const budget = { database: "db", container: "items", requestUnitsPerSecond: 0.1 };
    expect((await send("PUT", "/_emulator/budget", budget)).status).toBe(204);
    expect([await read(fixture), await read(fixture)]).toEqual([404, 429]);
    expect((await send("PUT", "/_emulator/clock", { skewMs: 3_600_000 })).status).toBe(204);
    expect(await read(fixture)).toBe(403);
    expect((await send("DELETE", "/_emulator/faults")).status).toBe(204);
    expect(await read(fixture)).toBe(404);
  });

  it.each([
    ["POST", "/_emulator/faults", "{}"],
    ["POST", "/_emulator/faults", "nonsense"],
    ["PUT", "/_emulator/budget", '{"database":"db"}'],
    ["PUT", "/_emulator/budget", '{"database":"db","container":"c","requestUnitsPerSecond":-1}'],
    ["PUT", "/_emulator/clock", '{"skewMs":"soon"}'],
  ])("%s %s with %s is refused with 400", async (method, path, body) => {
    await using fixture = await Fixture.start();
    expect((await fixture.client.send({ method, path, body })).status).toBe(400);
  });
});
