/** Splits, merges, migrations and failovers by command, and faults of single physical partitions. */
import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf, withFixture } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";

const names = { database: "db", container: "items" };

interface Range {
  readonly id: string;
  readonly minInclusive: string;
  readonly maxExclusive: string;
  readonly parents: readonly string[];
}

async function rangesOf({ client }: Fixture): Promise<readonly Range[]> {
  const { json } = await client.signed("GET", { link: CONTAINER, feed: "pkranges" });
  return json.PartitionKeyRanges;
}

const inRange = (id: string): Record<string, string> => ({ "x-ms-documentdb-partitionkeyrangeid": id });

const ALL = "SELECT VALUE c.pk FROM c";

function found({ json }: RawResponse): readonly unknown[] {
  return json.Documents;
}

async function withItems(physicalPartitions: number, count = 40): Promise<Fixture> {
  const fixture = await Fixture.start({ physicalPartitions });
  for (let n = 0; n < count; n++) await fixture.create({ id: "a", pk: `p${n}` });
  return fixture;
}

const statusOf = ({ status, headers }: RawResponse): string =>
  `${status}/${String(headers["x-ms-substatus"])}`;

describe("a split", () => {
  it("replaces a partition by two that name it as their parent and hold its items", async () => {
    await using fixture = await withItems(1);
    expect(await fixture.emulator.partitions.split(names)).toEqual(["1", "2"]);
    const ranges = await rangesOf(fixture);
    expect(ranges.map(({ id, parents }) => [id, parents])).toEqual([
      ["1", ["0"]],
      ["2", ["0"]],
    ]);
    expect([ranges[0]?.minInclusive, ranges[0]?.maxExclusive, ranges[1]?.maxExclusive]).toEqual([
      "",
      ranges[1]?.minInclusive,
      "FF",
    ]);
    const halves = await Promise.all(["1", "2"].map((id) => fixture.query(ALL, undefined, inRange(id))));
    expect(halves.map((half) => found(half).length > 5)).toEqual([true, true]);
    expect(new Set(halves.flatMap(found)).size).toBe(40);
    expect((await fixture.item("GET", "p7", "a")).status).toBe(200);
  });

  withFixture("halves keys of the first version of hashing too", async (fixture) => {
    const body = JSON.stringify({ id: "old", partitionKey: { paths: ["/pk"] } });
    await fixture.client.signed("POST", { link: "dbs/db", feed: "colls" }, { body });
    const old = { database: "db", container: "old" };
    await fixture.emulator.partitions.split(old);
    await fixture.emulator.partitions.split({ ...old, range: "2" });
    const ids = new Set<string>();
    for (let n = 0; n < 40; n++) {
      const target = { link: "dbs/db/colls/old", feed: "docs" };
      const item = JSON.stringify({ id: "a", pk: `p${n}` });
      const { headers } = await fixture.client.signed("POST", target, {
        body: item,
        headers: keyOf(`p${n}`),
      });
      ids.add(String(headers["x-ms-documentdb-partitionkeyrangeid"]));
    }
    expect([...ids].sort()).toEqual(["1", "3", "4"]);
  });

  it("leaves the old id 410/1002, also with a continuation", async () => {
    await using fixture = await withItems(1);
    const page = await fixture.query(ALL, undefined, { ...inRange("0"), "x-ms-max-item-count": "2" });
    await fixture.emulator.partitions.split(names);
    const continuation = { "x-ms-continuation": String(page.headers["x-ms-continuation"]) };
    for (const more of [{}, continuation]) {
      expect(statusOf(await fixture.query(ALL, undefined, { ...inRange("0"), ...more }))).toBe("410/1002");
    }
  });

  it("is reported to clients that read the ranges with the ETag of before", async () => {
    await using fixture = await withItems(1, 1);
    const target = { link: CONTAINER, feed: "pkranges" };
    const { headers } = await fixture.client.signed("GET", target);
    const again = { "if-none-match": String(headers["etag"]) };
    expect((await fixture.client.signed("GET", target, { headers: again })).status).toBe(304);
    await fixture.emulator.partitions.split(names);
    expect((await fixture.client.signed("GET", target, { headers: again })).status).toBe(200);
  });

  it("answers 410/1007 while it is under way", async () => {
    let finish = (): void => {};
    const wait = (): Promise<void> => new Promise((resolve) => (finish = resolve));
    await using fixture = await Fixture.start({ wait });
    const split = fixture.emulator.partitions.split({ ...names, completingMs: 1_000 });
    expect(statusOf(await fixture.query(ALL, undefined, inRange("0")))).toBe("410/1007");
    expect(statusOf(await fixture.create({ id: "a", pk: "p" }))).toBe("410/1007");
    finish();
    await split;
    expect((await fixture.create({ id: "a", pk: "p" })).status).toBe(201);
  });

  it("and a merge keep what a file holds", async () => {
    await using fixture = await withItems(3);
    await fixture.emulator.partitions.split({ ...names, range: "1" });
    const merged = await fixture.emulator.partitions.merge({ ...names, ranges: ["3", "4"] });
    expect(merged).toBe("5");
    expect((await rangesOf(fixture)).map(({ id, parents }) => [id, parents])).toEqual([
      ["0", []],
      ["5", ["1", "3", "4"]],
      ["2", []],
    ]);
    const parts = await Promise.all(["0", "5", "2"].map((id) => fixture.query(ALL, undefined, inRange(id))));
    expect(parts.flatMap(found)).toHaveLength(40);
  });
});

describe("a merge", () => {
  it("names each ancestor once, however often partitions were split and merged", async () => {
    await using fixture = await withItems(1, 0);
    const { partitions } = fixture.emulator;
    for (let round = 0; round < 20; round++) {
      await partitions.split(names);
      await partitions.merge(names);
    }
    const [{ id, parents } = { id: "", parents: [] }] = await rangesOf(fixture);
    expect(id).toBe("60");
    expect(parents.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 60 }, (_, n) => String(n)),
    );
  });

  it("refuses partitions that are no neighbours", async () => {
    await using fixture = await Fixture.start({ physicalPartitions: 3 });
    await expect(fixture.emulator.partitions.merge({ ...names, ranges: ["0", "2"] })).rejects.toThrow(
      /neighbours/,
    );
  });
});

describe("a migration", () => {
  it("answers 410/1008, and the partition keeps its id", async () => {
    let finish = (): void => {};
    const wait = (): Promise<void> => new Promise((resolve) => (finish = resolve));
    await using fixture = await Fixture.start({ wait });
    const migration = fixture.emulator.partitions.migrate({ ...names, forMs: 1_000 });
    expect(statusOf(await fixture.query(ALL, undefined, inRange("0")))).toBe("410/1008");
    finish();
    await migration;
    expect((await fixture.query(ALL, undefined, inRange("0"))).status).toBe(200);
  });
});

describe("a failover", () => {
  it("refuses reads with a token of before as 404/1002, until the token is dropped", async () => {
    await using fixture = await withItems(1, 3);
    const { headers } = await fixture.create({ id: "b", pk: "p0" });
    const before = { "x-ms-session-token": String(headers["x-ms-session-token"]) };
    expect((await fixture.item("GET", "p0", "b", { headers: before })).status).toBe(200);
    fixture.emulator.partitions.failover(names);
    expect(statusOf(await fixture.item("GET", "p0", "b", { headers: before }))).toBe("404/1002");
    const read = await fixture.item("GET", "p0", "b");
    expect([read.status, read.headers["x-ms-session-token"]]).toEqual([200, "0:1#1"]);
  });

  it("is not seen by a replica that lags behind it", async () => {
    await using fixture = await withItems(1, 3);
    const token = async (): Promise<unknown> =>
      (await fixture.item("GET", "p0", "i0")).headers["x-ms-session-token"];
    const before = await token();
    fixture.emulator.partitions.failover(names);
    const first = await fixture.create({ id: "b", pk: "p0" });
    fixture.emulator.partitions.failover(names);
    await fixture.create({ id: "c", pk: "p0" });
    const lag = (writesBehind: number): void => {
      fixture.emulator.faults.clear();
      fixture.emulator.faults.add({ effect: { kind: "staleRead", writesBehind } });
    };
    expect(await token()).toBe("0:2#2");
    lag(1);
    expect(await token()).toBe("0:2#1");
    lag(2);
    expect(await token()).toBe("0:1#1");
    lag(3);
    expect(await token()).toBe("0:-1#3");
    expect([before, first.headers["x-ms-session-token"]]).toEqual(["0:-1#4", "0:1#2"]);
  });

  it("does not matter to a container that is created again", async () => {
    await using fixture = await withItems(1, 3);
    fixture.emulator.partitions.failover(names);
    await fixture.client.signed("DELETE", { link: CONTAINER });
    const container = { id: "items", partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 } };
    await fixture.client.signed(
      "POST",
      { link: "dbs/db", feed: "colls" },
      { body: JSON.stringify(container) },
    );
    const { headers } = await fixture.create({ id: "a", pk: "p0" });
    expect(headers["x-ms-session-token"]).toBe("0:-1#2");
  });

  it("gives tokens that hold from then on", async () => {
    await using fixture = await withItems(1, 3);
    fixture.emulator.partitions.failover(names);
    const { headers } = await fixture.create({ id: "b", pk: "p0" });
    const token = String(headers["x-ms-session-token"]);
    expect(token).toBe("0:1#2");
    expect((await fixture.item("GET", "p0", "b", { headers: { "x-ms-session-token": token } })).status).toBe(
      200,
    );
    const ahead = { headers: { "x-ms-session-token": "0:1#3" } };
    expect(statusOf(await fixture.item("GET", "p0", "b", ahead))).toBe("404/1002");
  });
});

describe("a budget", () => {
  it("is divided evenly among the physical partitions", async () => {
    await using fixture = await withItems(2, 20);
    const [first, second] = fixture.emulator.partitions.list(names);
    fixture.emulator.faults.setBudget("db", "items", 4);
    const ask = async (id = ""): Promise<string> =>
      statusOf(await fixture.query(ALL, undefined, inRange(id)));
    expect(await ask(first)).toBe("200/undefined");
    expect(await ask(first)).toBe("429/3200");
    expect(await ask(second)).toBe("200/undefined");
  });

  it("may be that of one partition alone", async () => {
    await using fixture = await withItems(2, 20);
    fixture.emulator.faults.setBudget("db", "items", 0.001, "1");
    const ask = async (id: string): Promise<number> =>
      (await fixture.query(ALL, undefined, inRange(id))).status;
    expect([await ask("1"), await ask("1"), await ask("0"), await ask("0")]).toEqual([200, 429, 200, 200]);
  });
});

describe("a fault rule", () => {
  it("may be about one physical partition, named by the header or by the key", async () => {
    await using fixture = await withItems(2, 20);
    fixture.emulator.faults.add({ match: { range: "1" }, effect: { kind: "error", status: 429 } });
    expect((await fixture.query(ALL, undefined, inRange("0"))).status).toBe(200);
    expect((await fixture.query(ALL, undefined, inRange("1"))).status).toBe(429);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => (await fixture.item("GET", `p${n}`, "a")).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it("may refuse continuations only", async () => {
    await using fixture = await withItems(1, 5);
    fixture.emulator.faults.add({ match: { continued: true }, effect: { kind: "error", status: 400 } });
    const page = await fixture.query(ALL, undefined, { ...inRange("0"), "x-ms-max-item-count": "2" });
    expect(page.status).toBe(200);
    const more = { ...inRange("0"), "x-ms-continuation": String(page.headers["x-ms-continuation"]) };
    expect((await fixture.query(ALL, undefined, more)).status).toBe(400);
  });

  it("shortens pages, to none, and their continuations lead to all the rest", async () => {
    await using fixture = await withItems(1, 12);
    fixture.emulator.faults.add({ effect: { kind: "shortPage" } });
    const sizes: number[] = [];
    const all: unknown[] = [];
    let headers: Record<string, string> = inRange("0");
    for (;;) {
      const page = await fixture.query(ALL, undefined, headers);
      sizes.push(found(page).length);
      all.push(...found(page));
      const continuation = page.headers["x-ms-continuation"];
      if (continuation === undefined) break;
      headers = { ...inRange("0"), "x-ms-continuation": String(continuation) };
    }
    expect(new Set(all).size).toBe(12);
    expect(all).toHaveLength(12);
    expect(Math.max(...sizes)).toBeLessThan(4);
    expect(sizes).toContain(0);
  });

  it("delays by a time that varies", async () => {
    const waits: number[] = [];
    const wait = async (delayMs: number): Promise<void> => void waits.push(delayMs);
    await using fixture = await Fixture.start({ wait });
    fixture.emulator.faults.add({ effect: { kind: "delay", delayMs: 5, jitterMs: 15 } });
    for (let n = 0; n < 20; n++) await fixture.item("GET", "p", "a");
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...waits)).toBeLessThanOrEqual(20);
    expect(new Set(waits).size).toBeGreaterThan(3);
  });
});

describe("the routes below /_emulator/", () => {
  withFixture("split, merge, move and fail over", async (fixture) => {
    const post = (route: string, more = {}): Promise<RawResponse> =>
      fixture.client.send({
        method: "POST",
        path: `/_emulator/${route}`,
        body: JSON.stringify({ ...names, ...more }),
      });
    const split = await post("split");
    expect([split.status, split.json]).toEqual([200, { ranges: ["1", "2"] }]);
    const merge = await post("merge", { ranges: ["1", "2"], completingMs: 1 });
    expect([merge.status, merge.json]).toEqual([200, { range: "3" }]);
    expect((await post("migrate", { forMs: 1 })).status).toBe(204);
    expect((await post("failover")).status).toBe(204);
    expect((await post("split", { partition: "1" })).status).toBe(400);
    const budget = { ...names, range: "3", requestUnitsPerSecond: 100 };
    const set = await fixture.client.send({
      method: "PUT",
      path: "/_emulator/budget",
      body: JSON.stringify(budget),
    });
    expect(set.status).toBe(204);
    expect((await fixture.item("GET", "p", "a", { headers: keyOf("p") })).status).toBe(404);
  });
});
