import { describe, expect, it } from "vitest";
import { RequestLog } from "../../src/gateway/log/request-log.ts";
import { CONTAINER, Fixture, withFixture } from "./support/fixture.ts";

describe("the request log", () => {
  withFixture("holds what was asked, what it cost and how it ended", async (fixture) => {
    await fixture.create({ id: "a", pk: "p", n: 1 });
    await fixture.create({ id: "a", pk: "p", n: 1 });
    const [first, second] = fixture.emulator.requestLog.entries().slice(-2);
    expect(first).toMatchObject({
      method: "POST",
      path: `/${CONTAINER}/docs`,
      operation: "item.create",
      partitionKey: '["p"]',
      status: 201,
    });
    expect(first?.charge).toBeCloseTo(6.29, 2);
    expect(first?.durationMs).toBeGreaterThanOrEqual(0);
    expect(second).toMatchObject({ sequence: 4, status: 409 });
  });

  it("holds the physical partition that a query names", async () => {
    await using fixture = await Fixture.start({ physicalPartitions: 2 });
    await fixture.query("SELECT * FROM c", undefined, { "x-ms-documentdb-partitionkeyrangeid": "1" });
    await fixture.query("SELECT * FROM c", "p");
    const ranges = fixture.emulator.requestLog.entries().map(({ range }) => range);
    expect(ranges.slice(-2)).toEqual(["1", undefined]);
  });

  withFixture("counts requests and charges by operation since a mark", async (fixture) => {
    await fixture.create({ id: "a", pk: "p", n: 1 });
    const mark = fixture.emulator.requestLog.mark();
    await fixture.item("GET", "p", "a");
    await fixture.item("GET", "p", "none");
    await fixture.query("SELECT * FROM c", "p");
    const { total, byOperation } = fixture.emulator.requestLog.since(mark);
    expect(total.requests).toBe(3);
    expect(byOperation.get("item.read")).toEqual({ requests: 2, charge: 2 });
    expect([...byOperation.keys()]).toEqual(["item.read", "item.query"]);
    expect(fixture.emulator.requestLog.since().total.requests).toBe(6);
  });

  withFixture("counts what was executed although its answer got lost", async (fixture) => {
    fixture.emulator.faults.add({ next: 1, effect: { kind: "loseResponse" } });
    const mark = fixture.emulator.requestLog.mark();
    await expect(fixture.create({ id: "a", pk: "p", n: 1 })).rejects.toThrow();
    const count = fixture.emulator.requestLog.since(mark).byOperation.get("item.create");
    expect(count?.requests).toBe(1);
    expect(count?.charge).toBeCloseTo(6.29, 2);
  });

  withFixture("is read over HTTP, wholly or from a sequence on", async (fixture) => {
    await fixture.create({ id: "a", pk: "p" });
    const read = async (path: string) => (await fixture.client.send({ method: "GET", path })).json;
    const all = (await read("/_emulator/requests")).requests;
    expect(all.map((entry: { operation: string }) => entry.operation)).toEqual([
      "database.create",
      "container.create",
      "item.create",
    ]);
    expect((await read("/_emulator/requests?after=2")).requests).toHaveLength(1);
    expect((await read("/_emulator/counts")).byOperation["item.create"].requests).toBe(1);
  });

  it("keeps the last requests only", () => {
    const log = new RequestLog(3);
    const entry = { atMs: 0, method: "GET", path: "/", status: 200, charge: 1, durationMs: 0 };
    for (let n = 0; n < 7; n += 1) log.add(entry);
    expect(log.entries().map(({ sequence }) => sequence)).toEqual([5, 6, 7]);
    expect(log.entries(6).map(({ sequence }) => sequence)).toEqual([7]);
    expect(log.since().total).toEqual({ requests: 7, charge: 7 });
  });

  it("keeps nothing where its size is 0, and counts all the same", () => {
    const log = new RequestLog(0);
    log.add({ atMs: 0, method: "GET", path: "/", status: 200, charge: 1, durationMs: 0 });
    expect([log.entries(), log.since().total.requests]).toEqual([[], 1]);
  });
});
