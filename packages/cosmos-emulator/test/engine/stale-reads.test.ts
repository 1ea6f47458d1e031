/** Reads that see the state some writes ago. */
import { describe, expect, it } from "vitest";
import { create, dump, type Fixture, onEngine, openEngine, refusalOf, upsert } from "./support/fixture.ts";

/** Three writes: create, upsert, delete. */
function withHistory(): Fixture {
  const fixture = openEngine();
  const { container } = fixture;
  container.execute(["a"], create({ id: "1", pk: "a", n: 1 }));
  container.execute(["a"], upsert({ id: "1", pk: "a", n: 2 }));
  container.execute(["a"], { kind: "delete", id: "1" });
  return fixture;
}

describe("a stale read", () => {
  it("sees exactly what was there so many writes ago", () => {
    using fixture = withHistory();
    const { container } = fixture;
    const seen = (writesBehind: number) => {
      try {
        return JSON.parse(container.execute(["a"], { kind: "read", id: "1" }, writesBehind).body ?? "").n;
      } catch {
        return undefined;
      }
    };
    expect([0, 1, 2, 3, 4].map(seen)).toEqual([undefined, 2, 1, undefined, undefined]);
  });

  it("leaves everything as it is", () => {
    using fixture = withHistory();
    const { container } = fixture;
    container.execute(["a"], create({ id: "2", pk: "a" }));
    const before = dump(container);
    container.execute(["a"], { kind: "read", id: "1" }, 3);
    refusalOf(() => container.execute(["a"], { kind: "read", id: "2" }, 1));
    expect(dump(container)).toEqual(before);
    expect(container.execute(["a"], { kind: "read", id: "2" }).status).toBe(200);
  });

  it("holds for queries and feeds too", () => {
    using fixture = withHistory();
    const { container } = fixture;
    const query = "SELECT VALUE c.n FROM c WHERE c.n > 0";
    expect([0, 1, 2, 3].map((writesBehind) => container.query({ query, writesBehind }).rows)).toEqual([
      [],
      ["2"],
      ["1"],
      [],
    ]);
    expect([0, 1, 2, 3].map((writesBehind) => container.readFeed({ writesBehind }).rows.length)).toEqual([
      0, 1, 1, 0,
    ]);
  });

  onEngine("finds an item by its whole id, whatever characters it has", ({ container }) => {
    const id = "a\u0000b";
    container.execute(["a"], create({ id, pk: "a" }));
    container.execute(["a"], { kind: "delete", id });
    expect(container.execute(["a"], { kind: "read", id }, 1).status).toBe(200);
  });

  onEngine("undoes a batch as a whole", ({ container }) => {
    container.execute(["a"], create({ id: "0", pk: "a" }));
    container.batch(
      ["a"],
      [create({ id: "1", pk: "a" }), { kind: "delete", id: "0" }, create({ id: "0", pk: "a", n: 1 })],
      "atomic",
    );
    expect(container.readFeed({ writesBehind: 1 }).rows.map((row) => JSON.parse(row).id)).toEqual(["0"]);
    expect(container.readFeed({ writesBehind: 1 }).rows[0]).not.toContain('"n"');
  });

  onEngine("sees nothing of a write that was undone", ({ container }) => {
    container.execute(["a"], create({ id: "0", pk: "a" }));
    container.batch(["a"], [create({ id: "1", pk: "a" }), create({ id: "0", pk: "a" })], "atomic");
    expect(container.readFeed({ writesBehind: 1 }).rows).toEqual([]);
  });

  it("goes back in its own physical partition only", () => {
    using fixture = openEngine({}, { physicalPartitions: 2 });
    const { container } = fixture;
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    const inRange = (range: string) => keys.filter((pk) => container.rangeIdOf([pk]) === range);
    const [first = "", other = ""] = [inRange("0")[0], inRange("1")[0]];
    container.execute([first], create({ id: "1", pk: first }));
    container.execute([other], create({ id: "1", pk: other }));
    expect(refusalOf(() => container.execute([first], { kind: "read", id: "1" }, 1)).status).toBe(404);
    expect(container.readFeed({ rangeId: "1", writesBehind: 1 }).rows).toEqual([]);
    expect(container.readFeed({ rangeId: "1", writesBehind: 0 }).rows).toHaveLength(1);
  });

  it("restores values that are unique, in the right order", () => {
    using fixture = openEngine({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/email"] }] } });
    const { container } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a", email: "x" }));
    container.execute(["a"], { kind: "delete", id: "1" });
    container.execute(["a"], create({ id: "2", pk: "a", email: "x" }));
    expect(container.readFeed({ writesBehind: 2 }).rows.map((row) => JSON.parse(row).id)).toEqual(["1"]);
  });

  onEngine("goes back as far as the journal reaches", ({ container }) => {
    for (let index = 0; index < 200; index++)
      container.execute(["a"], create({ id: String(index), pk: "a" }));
    expect(container.readFeed({ writesBehind: 63 }).rows).toHaveLength(137);
    for (const writesBehind of [64, 65, 1000])
      expect(container.readFeed({ writesBehind }).rows).toHaveLength(136);
  });
});
