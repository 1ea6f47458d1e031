/** An endpoint that enforces the provisioned throughput, and what it does not limit. */
import { describe, expect, it } from "vitest";
import { Throttle } from "../../src/gateway/faults/throttle.ts";
import { Fixture, keyOf, withFixture } from "./support/fixture.ts";
import type { RawRequest, RawResponse } from "./support/raw-client.ts";

/** A batch of about 700 request units, declared atomic. */
const BATCH = Array.from({ length: 100 }, (_, n) => ({
  operationType: "Create",
  resourceBody: { id: String(n), pk: "p", a: 1, b: 2 },
}));
const BATCH_HEADERS = {
  ...keyOf("p"),
  "x-ms-cosmos-is-batch-request": "true",
  "x-ms-cosmos-batch-atomic": "true",
};

function createContainer(
  { client }: Fixture,
  id: string,
  headers: RawRequest["headers"] = {},
  database = "db",
): Promise<RawResponse> {
  const body = JSON.stringify({ id, partitionKey: { paths: ["/pk"] } });
  return client.signed("POST", { link: `dbs/${database}`, feed: "colls" }, { body, headers });
}

function batch({ client }: Fixture, container: string, database = "db"): Promise<RawResponse> {
  const target = { link: `dbs/${database}/colls/${container}`, feed: "docs" };
  return client.signed("POST", target, { body: JSON.stringify(BATCH), headers: BATCH_HEADERS });
}

function read({ client }: Fixture, container: string, database = "db"): Promise<RawResponse> {
  const target = { link: `dbs/${database}/colls/${container}/docs/0` };
  return client.signed("GET", target, { headers: keyOf("p") });
}

describe("a container whose throughput is enforced", () => {
  it("refuses with 429/3200 once it is used up, and says when to come back", async () => {
    await using fixture = await Fixture.start({ enforceThroughput: true });
    expect((await batch(fixture, "items")).status).toBe(200);
    const refused = await read(fixture, "items");
    expect([refused.status, refused.json.code, refused.headers["x-ms-substatus"]]).toEqual([
      429,
      "TooManyRequests",
      "3200",
    ]);
    expect(refused.headers["x-ms-request-charge"]).toBe("0.38");
    expect(Number(refused.headers["x-ms-retry-after-ms"])).toBeGreaterThan(100);
  });

  it("has the maximum of its autoscale", async () => {
    await using fixture = await Fixture.start({ enforceThroughput: true });
    const autoscale = { "x-ms-cosmos-offer-autopilot-settings": '{"maxThroughput":1000}' };
    await createContainer(fixture, "scaled", autoscale);
    expect((await batch(fixture, "scaled")).status).toBe(200);
    expect((await read(fixture, "scaled")).status).toBe(200);
  });

  it("shares that of its database where it has none of its own", async () => {
    await using fixture = await Fixture.start({ enforceThroughput: true });
    const shared = { body: '{"id":"shared"}', headers: { "x-ms-offer-throughput": "400" } };
    await fixture.client.signed("POST", { link: "", feed: "dbs" }, shared);
    for (const id of ["a", "b"]) await createContainer(fixture, id, {}, "shared");
    await batch(fixture, "a", "shared");
    expect((await read(fixture, "b", "shared")).status).toBe(429);
    expect((await read(fixture, "items")).status).toBe(404);
  });

  it("may be read itself, listed and deleted all the same", async () => {
    await using fixture = await Fixture.start({ enforceThroughput: true });
    await batch(fixture, "items");
    const link = "dbs/db/colls/items";
    expect((await fixture.client.signed("GET", { link })).status).toBe(200);
    expect((await fixture.client.signed("GET", { link, feed: "pkranges" })).status).toBe(200);
    expect((await fixture.client.signed("DELETE", { link })).status).toBe(204);
  });
});

describe("an endpoint as it starts by default", () => {
  withFixture("throttles no request", async (fixture) => {
    expect((await batch(fixture, "items")).status).toBe(200);
    expect((await read(fixture, "items")).status).toBe(200);
  });

  withFixture("enforces what is provisioned for one container when a test asks for it", async (fixture) => {
    await createContainer(fixture, "free");
    fixture.emulator.faults.setBudget("db", "items", "provisioned");
    for (const id of ["items", "free"]) expect((await batch(fixture, id)).status).toBe(200);
    expect((await read(fixture, "items")).status).toBe(429);
    expect((await read(fixture, "free")).status).toBe(200);
    fixture.emulator.faults.clear();
    expect((await read(fixture, "items")).status).toBe(200);
  });
});

describe("the throttle", () => {
  const statusAt = (throttle: Throttle): number => {
    try {
      throttle.check("db", "c");
      return 200;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };

  it("lets requests through again after the time that it told", () => {
    let nowMs = 0;
    const throttle = new Throttle({
      enforceThroughput: true,
      provisioned: () => ({ offer: "o", requestUnitsPerSecond: 400 }),
      monotonicMs: () => nowMs,
    });
    throttle.spend("db", "c", 600);
    expect(statusAt(throttle)).toBe(429);
    nowMs = 499;
    expect(statusAt(throttle)).toBe(429);
    nowMs = 501;
    expect(statusAt(throttle)).toBe(200);
  });

  it("does not know containers that do not exist", () => {
    const throttle = new Throttle({
      enforceThroughput: true,
      provisioned: () => undefined,
      monotonicMs: () => 0,
    });
    throttle.spend("db", "c", 1e9);
    expect(statusAt(throttle)).toBe(200);
  });
});
