/** The change feed (docs/reference/cosmos-protocol.md §1.10). */
import { describe, expect, it } from "vitest";
import type { ChangeFeedPage } from "../../src/engine/index.ts";
import { effectivePartitionKey } from "../../src/protocol/effective-partition-key.ts";
import { create, openEngine, refusalOf, START_MS, upsert } from "./support/fixture.ts";

const ids = (page: ChangeFeedPage): unknown[] => page.rows.map((row) => JSON.parse(row).id);

describe("the change feed", () => {
  it("has each item once, at its latest version, in the order of writes", () => {
    using fixture = openEngine();
    const { container } = fixture;
    for (const id of ["1", "2", "3"]) container.execute(["a"], create({ id, pk: "a", n: 1 }));
    container.execute(["a"], upsert({ id: "1", pk: "a", n: 2 }));
    container.execute(["a"], { kind: "delete", id: "2" });
    const page = container.changeFeed({});
    expect(page.rows.map((row) => JSON.parse(row))).toMatchObject([
      { id: "3", n: 1, _lsn: 4 },
      { id: "1", n: 2, _lsn: 5 },
    ]);
    expect(page.etag).toBe('"5"');
  });

  it("goes on where an earlier page ended, and says that there is nothing new", () => {
    using fixture = openEngine();
    const { container } = fixture;
    for (const id of ["1", "2", "3"]) container.execute(["a"], create({ id, pk: "a" }));
    const first = container.changeFeed({ maxItems: 2 });
    expect(ids(first)).toEqual(["1", "2"]);
    const second = container.changeFeed({ maxItems: 2, ifNoneMatch: first.etag });
    expect(ids(second)).toEqual(["3"]);
    const third = container.changeFeed({ ifNoneMatch: second.etag });
    expect(third.rows).toEqual([]);
    container.execute(["a"], create({ id: "4", pk: "a" }));
    expect(ids(container.changeFeed({ ifNoneMatch: third.etag }))).toEqual(["4"]);
  });

  it("moves its position past deletes, so that readers do not look at them again", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const { etag } = container.changeFeed({});
    container.execute(["a"], { kind: "delete", id: "1" });
    const page = container.changeFeed({ ifNoneMatch: etag });
    expect(page).toMatchObject({ rows: [], etag: `"${container.lsnOf("0")}"` });
  });

  it("can begin now, or at a time", () => {
    using fixture = openEngine();
    const { container, clock } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const now = container.changeFeed({ ifNoneMatch: "*" });
    expect(now.rows).toEqual([]);
    clock.nowMs += 10_000;
    container.execute(["a"], create({ id: "2", pk: "a" }));
    expect(ids(container.changeFeed({ ifNoneMatch: now.etag }))).toEqual(["2"]);
    expect(ids(container.changeFeed({ modifiedSince: START_MS / 1000 + 5 }))).toEqual(["2"]);
    expect(ids(container.changeFeed({ modifiedSince: START_MS / 1000 }))).toEqual(["1", "2"]);
  });

  it("can be read for one key or for a range of keys", () => {
    using fixture = openEngine();
    const { container } = fixture;
    for (const pk of ["a", "b", "c"]) container.execute([pk], create({ id: pk, pk }));
    expect(ids(container.changeFeed({ partitionKey: ["b"] }))).toEqual(["b"]);
    const epk = effectivePartitionKey(["c"], container.partitionKey);
    const range = { minInclusive: epk, maxExclusive: `${epk}FF` };
    expect(ids(container.changeFeed({ rangeId: "0", epkRange: range }))).toEqual(["c"]);
  });

  it("is one for each physical partition", () => {
    using fixture = openEngine({}, { physicalPartitions: 3 });
    const { container } = fixture;
    const keys = Array.from({ length: 30 }, (_, index) => `k${index}`);
    for (const pk of keys) container.execute([pk], create({ id: pk, pk }));
    const pages = container.partitionKeyRanges().map(({ id }) => container.changeFeed({ rangeId: id }));
    for (const page of pages) expect(page.rows.length).toBeGreaterThan(0);
    expect(pages.flatMap(ids).sort()).toEqual(keys.sort());
    expect(refusalOf(() => container.changeFeed({})).status).toBe(400);
    expect(refusalOf(() => container.changeFeed({ rangeId: "7" }))).toMatchObject({
      status: 410,
      substatus: 1002,
    });
  });

  it("never tears a batch apart", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create({ id: "0", pk: "a" }));
    const batch = ["1", "2", "3"].map((id) => create({ id, pk: "a" }));
    container.batch(["a"], batch, "atomic");
    container.execute(["a"], create({ id: "4", pk: "a" }));
    const first = container.changeFeed({ maxItems: 2 });
    expect(ids(first)).toEqual(["0", "1", "2", "3"]);
    expect(ids(container.changeFeed({ maxItems: 2, ifNoneMatch: first.etag }))).toEqual(["4"]);
  });

  it("refuses a position that it did not give out", () => {
    using fixture = openEngine();
    for (const ifNoneMatch of ["x", `"-1"`, ""]) {
      expect(refusalOf(() => fixture.container.changeFeed({ ifNoneMatch })).status).toBe(400);
    }
  });

  it("keeps pages below 4 MB", () => {
    using fixture = openEngine();
    const { container } = fixture;
    for (const id of ["1", "2", "3"]) {
      container.execute(["a"], create({ id, pk: "a", text: "x".repeat(1_900_000) }));
    }
    const first = container.changeFeed({});
    expect(ids(first)).toEqual(["1", "2"]);
    expect(ids(container.changeFeed({ ifNoneMatch: first.etag }))).toEqual(["3"]);
  });
});
