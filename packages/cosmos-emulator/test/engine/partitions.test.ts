/** Physical partitions, positions and feeds over them (docs/reference/cosmos-protocol.md §1.9, §1.11). */
import { describe, expect, it } from "vitest";
import { effectivePartitionKey } from "../../src/protocol/effective-partition-key.ts";
import { create, dump, onEngine, openEngine, refusalOf } from "./support/fixture.ts";

const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);

describe("physical partitions", () => {
  it.each([1, 2, 3, 7])("tile the whole space (%i)", (physicalPartitions) => {
    using fixture = openEngine({}, { physicalPartitions });
    const ranges = fixture.container.partitionKeyRanges();
    expect(ranges.map(({ id }) => id)).toEqual(ranges.map((_, index) => String(index)));
    expect(ranges).toHaveLength(physicalPartitions);
    expect(ranges[0]?.minInclusive).toBe("");
    expect(ranges.at(-1)?.maxExclusive).toBe("FF");
    for (const [index, { minInclusive }] of ranges.slice(1).entries()) {
      expect(minInclusive).toBe(ranges[index]?.maxExclusive);
    }
  });

  it("hold the items whose effective key lies in their range", () => {
    using fixture = openEngine({}, { physicalPartitions: 4 });
    const { container } = fixture;
    for (const pk of keys) {
      const { rangeId } = container.execute([pk], create({ id: "1", pk }));
      const epk = effectivePartitionKey([pk], container.partitionKey);
      const range = container.partitionKeyRanges().find(({ id }) => id === rangeId);
      expect(range && range.minInclusive <= epk && epk < range.maxExclusive).toBe(true);
      expect(container.rangeIdOf([pk])).toBe(rangeId);
    }
    const perRange = container.partitionKeyRanges().map(({ id }) => container.readFeed({ rangeId: id }).rows);
    for (const rows of perRange) expect(rows.length).toBeGreaterThan(0);
    expect(perRange.flat().sort()).toEqual([...dump(container)].sort());
  });

  it("count their writes each for itself", () => {
    using fixture = openEngine({}, { physicalPartitions: 2 });
    const { container } = fixture;
    const before = container.partitionKeyRanges().map(({ lsn }) => lsn);
    const { rangeId } = container.execute(["a"], create({ id: "1", pk: "a" }));
    const after = container.partitionKeyRanges().map((range) => range.lsn);
    const touched = Number(rangeId);
    expect(after[touched]).toBe((before[touched] ?? 0) + 1);
    expect(after[1 - touched]).toBe(before[1 - touched]);
  });

  onEngine("do not count what was refused or undone", ({ container }) => {
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const before = container.lsnOf("0");
    refusalOf(() => container.execute(["a"], create({ id: "1", pk: "a" })));
    container.batch(["a"], [create({ id: "2", pk: "a" }), create({ id: "1", pk: "a" })], "atomic");
    expect(container.lsnOf("0")).toBe(before);
  });

  onEngine("that are not there are gone", (fixture) => {
    for (const use of [
      () => fixture.container.lsnOf("1"),
      () => fixture.container.readFeed({ rangeId: "1" }),
      () => fixture.container.query({ query: "SELECT * FROM c", rangeId: "x" }),
    ]) {
      expect(refusalOf(use)).toMatchObject({ status: 410, substatus: 1002 });
    }
  });

  it("have ids of their own that clients recognise", () => {
    using fixture = openEngine({}, { physicalPartitions: 2 });
    const rids = fixture.container
      .partitionKeyRanges()
      .map(({ rid }) => Buffer.from(rid.replaceAll("-", "/"), "base64"));
    for (const rid of rids) expect((rid[15] ?? 0) >> 4).toBe(5);
    expect(rids[0]).not.toEqual(rids[1]);
  });
});

describe("the feed of items", () => {
  onEngine("comes in the order of insertion, page by page, without gaps or repeats", ({ container }) => {
    for (const pk of keys) container.execute([pk], create({ id: pk, pk }));
    const seen: unknown[] = [];
    let continuation: string | undefined;
    do {
      const page = container.readFeed({ maxItems: 7, ...(continuation !== undefined && { continuation }) });
      expect(page.rows.length).toBeLessThanOrEqual(7);
      seen.push(...page.rows.map((row) => JSON.parse(row).id));
      continuation = page.continuation;
    } while (continuation !== undefined);
    expect(seen).toEqual(keys);
  });

  onEngine("ends with its last row, not with an empty page", (fixture) => {
    for (const id of ["1", "2"]) fixture.container.execute(["a"], create({ id, pk: "a" }));
    expect(fixture.container.readFeed({ maxItems: 2 }).continuation).toBeUndefined();
  });

  it("can be restricted to a key, or to the beginning of a hierarchical one", () => {
    using fixture = openEngine({ partitionKey: { paths: ["/t", "/u"], kind: "MultiHash", version: 2 } });
    const { container } = fixture;
    for (const [t, u] of [
      ["x", "1"],
      ["x", "2"],
      ["y", "1"],
    ] as const) {
      container.execute([t, u], create({ id: t + u, t, u }));
    }
    const ids = (key: readonly string[]) =>
      container.readFeed({ partitionKey: key }).rows.map((row) => JSON.parse(row).id);
    expect(ids(["x", "2"])).toEqual(["x2"]);
    expect(ids(["x"])).toEqual(["x1", "x2"]);
    expect(refusalOf(() => ids(["x", "1", "z"]))).toMatchObject({ status: 400, substatus: 1001 });
    expect(refusalOf(() => ids([]))).toMatchObject({ status: 400, substatus: 1001 });
  });

  onEngine("refuses a continuation that is none of its own", (fixture) => {
    for (const continuation of ["", "x", "{}", '{"after":-1}', '{"after":1,"x":1}']) {
      expect(refusalOf(() => fixture.container.readFeed({ continuation })).status).toBe(400);
    }
  });

  onEngine("keeps pages below 4 MB, but never empty", ({ container }) => {
    for (const id of ["1", "2", "3"])
      container.execute(["a"], create({ id, pk: "a", text: "x".repeat(1_900_000) }));
    expect(container.readFeed({}).rows).toHaveLength(2);
    expect(dump(container)).toHaveLength(3);
  });
});

describe("deleting a partition", () => {
  onEngine("takes all its items and no others, at one position", ({ container }) => {
    for (const id of ["1", "2", "3"]) container.execute(["a"], create({ id, pk: "a" }));
    container.execute(["b"], create({ id: "1", pk: "b" }));
    const before = container.lsnOf("0");
    expect(container.deletePartition(["a"])).toMatchObject({ deleted: 3, lsn: before + 1 });
    expect(dump(container).map((row) => JSON.parse(row).pk)).toEqual(["b"]);
    expect(container.deletePartition(["a"])).toMatchObject({ deleted: 0, lsn: before + 1 });
  });
});
