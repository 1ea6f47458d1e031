/** Charges that were recorded on the service (docs/reference/cosmos-protocol.md §3.2), reproduced by operations. */
import { describe, expect, it } from "vitest";
import {
  createCharge,
  patchCharge,
  readCharge,
  replaceCharge,
} from "../../src/engine/charges/item-charges.ts";
import { queryCharge } from "../../src/engine/charges/query-charge.ts";
import type { Container, ItemOperation } from "../../src/engine/index.ts";
import { RESOURCE_READ_CHARGE, SCRIPT_CHARGE, THROTTLED_CHARGE } from "../../src/engine/index.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { create, openEngine, refusalOf, upsert } from "./support/fixture.ts";

/** An item with so many properties, id and key counted. */
function item(properties: number, id = "1"): JsonObject {
  const others = Array.from({ length: properties - 2 }, (_, index) => [`p${index}`, index]);
  return { id, pk: "a", ...Object.fromEntries(others) };
}

function chargeOf(container: Container, operation: ItemOperation): number {
  return container.execute(["a"], operation).charge;
}

const rounded = (charge: number): number => Math.round(charge * 100) / 100;

describe("charges of items", () => {
  it.each([
    [3, 6.29],
    [4, 6.67],
    [14, 10.48],
  ])("a create with %i properties costs %f", (properties, charge) => {
    using fixture = openEngine();
    expect(rounded(chargeOf(fixture.container, create(item(properties))))).toBe(charge);
  });

  it("a read costs 1, whether it finds something or not", () => {
    using fixture = openEngine();
    fixture.container.execute(["a"], create(item(4)));
    expect(chargeOf(fixture.container, { kind: "read", id: "1" })).toBe(1);
    expect(refusalOf(() => chargeOf(fixture.container, { kind: "read", id: "2" })).charge).toBe(1);
  });

  it.each([
    [3, 10.67],
    [4, 11.05],
  ])("an upsert or a replace of an item with %i properties costs %f", (properties, charge) => {
    using fixture = openEngine();
    fixture.container.execute(["a"], create(item(properties)));
    expect(rounded(chargeOf(fixture.container, upsert(item(properties))))).toBe(charge);
    const replace = { kind: "replace", id: "1", body: item(properties) } as const;
    expect(rounded(chargeOf(fixture.container, replace))).toBe(charge);
  });

  it("a delete of an item with 4 properties costs 6.67", () => {
    using fixture = openEngine();
    fixture.container.execute(["a"], create(item(4)));
    expect(rounded(chargeOf(fixture.container, { kind: "delete", id: "1" }))).toBe(6.67);
  });

  it("a patch costs what was recorded, to one percent: 10.60 for one operation, 11.42 for three", () => {
    expect(Math.abs(patchCharge(3, 300, 1) / 10.6 - 1)).toBeLessThan(0.01);
    expect(Math.abs(patchCharge(4, 300, 3) / 11.42 - 1)).toBeLessThan(0.01);
  });

  it("a stale etag costs 1.24, a conflict 1.57, a throttled request 0.38", () => {
    using fixture = openEngine();
    fixture.container.execute(["a"], create(item(3)));
    const stale = { kind: "replace", id: "1", body: item(3), ifMatch: '"x"' } as const;
    expect(rounded(refusalOf(() => chargeOf(fixture.container, stale)).charge ?? 0)).toBe(1.24);
    expect(rounded(refusalOf(() => chargeOf(fixture.container, create(item(3)))).charge ?? 0)).toBe(1.57);
    expect(rounded(THROTTLED_CHARGE)).toBe(0.38);
  });
});

describe("charges of batches", () => {
  it("two creates cost 12.57, a hundred with five properties 704.76", () => {
    using fixture = openEngine();
    const batch = (count: number, properties: number, prefix: string) =>
      fixture.container.batch(
        ["a"],
        Array.from({ length: count }, (_, index) => create(item(properties, prefix + index))),
        "atomic",
      ).charge;
    expect(rounded(batch(2, 3, "x"))).toBe(12.57);
    expect(rounded(batch(100, 5, "y"))).toBe(704.76);
  });

  it("read, upsert, replace, patch and delete cost 39.03 together, to one percent", () => {
    using fixture = openEngine();
    for (const id of ["b1", "b2"]) fixture.container.execute(["a"], create(item(3, id)));
    const { charge } = fixture.container.batch(
      ["a"],
      [
        { kind: "read", id: "b1" },
        upsert(item(3, "b1")),
        { kind: "replace", id: "b2", body: item(3, "b2") },
        { kind: "patch", id: "b2", patch: { operations: [{ op: "set", path: "/p0", value: 1 }] } },
        { kind: "delete", id: "b2" },
      ],
      "atomic",
    );
    expect(Math.abs(charge / 39.03 - 1)).toBeLessThan(0.01);
  });
});

describe("charges by size", () => {
  it("follow the documented anchors: 1 and 10 units for reading 1 and 100 KB, about 50 for writing 100 KB", () => {
    expect(readCharge(1024)).toBeCloseTo(1, 2);
    expect(readCharge(100 * 1024)).toBeCloseTo(10, 1);
    expect(createCharge(0, 1024)).toBeCloseTo(5.14, 2);
    expect(createCharge(5, 100 * 1024)).toBeGreaterThan(45);
    expect(createCharge(5, 100 * 1024)).toBeLessThan(55);
    expect(replaceCharge(5, 100 * 1024)).toBeCloseTo(2 * createCharge(5, 100 * 1024), -1);
  });
});

describe("charges of queries", () => {
  it("lie where they were recorded", () => {
    for (const rows of [1, 2]) {
      const charge = queryCharge({ rows, returnedBytes: rows * 300 });
      expect(charge).toBeGreaterThanOrEqual(2.26);
      expect(charge).toBeLessThanOrEqual(2.84);
    }
    // 1000 rows of two columns, about 25 bytes each, cost 17.16; 2500 rows from 34.7 to 38.1, met to three percent.
    expect(Math.abs(queryCharge({ rows: 1000, returnedBytes: 25_000 }) / 17.16 - 1)).toBeLessThan(0.02);
    const large = queryCharge({ rows: 2500, returnedBytes: 62_500 });
    expect(large).toBeGreaterThan(34.7);
    expect(large).toBeLessThan(38.1 * 1.03);
  });

  const many = (fixture: ReturnType<typeof openEngine>): void => {
    for (let index = 0; index < 100; index++) {
      fixture.container.execute(
        ["a"],
        create({ id: String(index), pk: "a", type: "x", at: index, due: index }),
      );
    }
  };
  const query = 'SELECT TOP 1 c.at FROM c WHERE c.type = "x" AND c.due >= 0 ORDER BY c.at';
  const composite = (...paths: readonly string[]): JsonObject => ({
    indexingPolicy: {
      includedPaths: [{ path: "/*" }],
      excludedPaths: [],
      compositeIndexes: [paths.map((path) => ({ path, order: "ascending" }))],
    },
  });

  it("count every row that TOP and ORDER BY had to look at, unless a composite index covers both", () => {
    using plain = openEngine();
    many(plain);
    using covered = openEngine(composite("/type", "/at"));
    many(covered);
    using other = openEngine(composite("/at", "/type"));
    many(other);
    const [without, withIndex, withOther] = [plain, covered, other].map(
      ({ container }) => container.query({ query }).charge,
    );
    expect((without ?? 0) - (withIndex ?? 0)).toBeCloseTo(1, 5);
    expect(withOther).toBeCloseTo(without ?? 0, 5);
  });

  it("count the documents that were looked at where a path of the filter is not indexed", () => {
    using indexed = openEngine();
    many(indexed);
    using excluded = openEngine({
      indexingPolicy: { includedPaths: [{ path: "/*" }], excludedPaths: [{ path: "/due/*" }] },
    });
    many(excluded);
    const scan = "SELECT c.at FROM c WHERE c.due = 7";
    const { bytes } = excluded.container.usage();
    const more =
      excluded.container.query({ query: scan }).charge - indexed.container.query({ query: scan }).charge;
    expect(more).toBeCloseTo((0.03 * bytes) / 1024, 3);
  });
});

describe("other charges", () => {
  it("a trivial script costs 4.27, reading a container 2", () => {
    expect(SCRIPT_CHARGE).toBe(4.27);
    expect(RESOURCE_READ_CHARGE).toBe(2);
  });
});

describe("indexed values", () => {
  const chargeWith = (indexingPolicy: JsonObject | null, body: JsonObject): number => {
    using fixture = openEngine({ indexingPolicy });
    return fixture.container.execute(["a"], create({ id: "1", pk: "a", ...body })).charge;
  };

  it("are the leaves of an item, elements of lists each for itself", () => {
    expect(chargeWith(null, { deep: { x: 1, y: { z: 2 } }, list: [1, [2, 3]] })).toBeCloseTo(
      (108 + 8 * 7) / 21,
    );
  });

  it("are those that the policy covers", () => {
    const policy = (includes: readonly string[], excludes: readonly string[]): JsonObject => ({
      includedPaths: includes.map((path) => ({ path })),
      excludedPaths: excludes.map((path) => ({ path })),
    });
    const body = { a: { b: 1, c: 2 }, list: [{ n: 1 }, { n: 2 }], big: "x" };
    const terms = (indexingPolicy: JsonObject): number =>
      Math.abs(Math.round((chargeWith(indexingPolicy, body) * 21 - 108) / 8));
    expect(terms(policy(["/*"], ["/big/?"]))).toBe(6);
    expect(terms(policy(["/*"], ["/a/*"]))).toBe(5);
    expect(terms(policy(["/*", "/a/b/?"], ["/a/*"]))).toBe(6);
    expect(terms(policy(["/a/b/?", "/list/[]/n/?"], ["/*"]))).toBe(3);
    expect(terms({ indexingMode: "none" })).toBe(0);
  });
});
