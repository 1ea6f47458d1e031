/** Charges that were recorded on the service (docs/reference/cosmos-protocol.md §3.2), reproduced by operations. */
import { describe, expect, it } from "vitest";
import { createCharge, readCharge, replaceCharge } from "../../src/engine/charges/item-charges.ts";
import type { Container, ItemOperation } from "../../src/engine/index.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { create, onEngine, openEngine, upsert } from "./support/fixture.ts";

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

  onEngine("count the documents that were looked at where a path of the filter is not indexed", (indexed) => {
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

  it("count none for a path that a composite index has behind paths that the filter fixes", () => {
    using engine = openEngine({
      indexingPolicy: {
        includedPaths: [{ path: "/*" }],
        excludedPaths: [{ path: "/due/*" }],
        compositeIndexes: [[{ path: "/type" }, { path: "/due" }]],
      },
    });
    many(engine);
    const charge = (where: string): number =>
      engine.container.query({ query: `SELECT c.at FROM c WHERE ${where}` }).charge;
    const fixed = charge("c.type = 'x' AND c.due = 7");
    expect(charge("c.type IN ('x') AND c.due = 7")).toBeGreaterThan(fixed + 0.1);
    expect(charge("c.due = 7")).toBeGreaterThan(fixed + 0.1);
    expect(charge("c.type = 'x' AND c.at = 7")).toBeCloseTo(fixed);
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
