/** Queries that an indexing policy allows and refuses (docs/reference/cosmos-protocol.md §1.15). */
import { describe, expect, it } from "vitest";
import { parseIndexingPolicy } from "../../src/engine/definition/indexing-policy.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { create, openEngine, refusalOf } from "./support/fixture.ts";

const composite = (...indexes: readonly (readonly [string, "ascending" | "descending"][])[]): JsonObject => ({
  indexingPolicy: {
    includedPaths: [{ path: "/*" }],
    excludedPaths: [],
    compositeIndexes: indexes.map((paths) => paths.map(([path, order]) => ({ path, order }))),
  },
});

function ids(definition: JsonObject, query: string): unknown[] {
  using fixture = openEngine(definition);
  const values = [{ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 1 }, { a: 2 }, { b: 5 }];
  values.forEach((value, index) => {
    fixture.container.execute(["a"], create({ id: String(index), pk: "a", ...value }));
  });
  return fixture.container.query({ query }).rows.map((row) => JSON.parse(row));
}

describe("ORDER BY over several paths", () => {
  const both = composite([
    ["/a", "ascending"],
    ["/b", "descending"],
  ]);

  it.each([
    "SELECT * FROM c ORDER BY c.a, c.b",
    "SELECT * FROM c ORDER BY c.b DESC, c.a",
    "SELECT * FROM c ORDER BY c.a, c.b DESC, c.id",
    "SELECT * FROM c ORDER BY c.a, c.x DESC",
  ])("is refused without one: %s", (query) => {
    expect(refusalOf(() => ids(both, query)).status).toBe(400);
    expect(refusalOf(() => ids({}, query)).status).toBe(400);
  });
});

describe("ORDER BY a single path", () => {
  it("needs no composite index and leaves out what has no such path", () => {
    expect(ids({}, "SELECT VALUE c.id FROM c ORDER BY c.b DESC")).toEqual(["4", "1", "0", "2"]);
  });

  it("answers what has no such path where the policy names it, or a composite index begins with it", () => {
    const named = {
      indexingPolicy: { includedPaths: [{ path: "/*" }, { path: "/a/?" }], excludedPaths: [] },
    };
    const first = composite([
      ["/a", "ascending"],
      ["/b", "ascending"],
    ]);
    for (const definition of [named, first]) {
      expect(ids(definition, "SELECT VALUE c.id FROM c ORDER BY c.a")).toEqual(["4", "0", "1", "2", "3"]);
    }
  });
});

describe("a policy", () => {
  const isIndexed = (body: JsonObject | null, ...names: string[]): boolean =>
    parseIndexingPolicy(body).policy.isIndexed(names);
  const policy = (included: readonly string[], excluded: readonly string[]): JsonObject => ({
    includedPaths: included.map((path) => ({ path })),
    excludedPaths: excluded.map((path) => ({ path })),
  });

  it("indexes everything unless it says otherwise", () => {
    expect(isIndexed(null, "a", "b")).toBe(true);
    expect(isIndexed(null, "_etag")).toBe(false);
    expect(isIndexed({ indexingMode: "none" }, "a")).toBe(false);
  });

  it("follows the most precise path", () => {
    const body = policy(["/*", "/a/b/*"], ["/a/*", "/a/b/c/?"]);
    expect(isIndexed(body, "x")).toBe(true);
    expect(isIndexed(body, "a", "x")).toBe(false);
    expect(isIndexed(body, "a", "b", "x")).toBe(true);
    expect(isIndexed(body, "a", "b", "c")).toBe(false);
    expect(isIndexed(body, "a", "b", "c", "d")).toBe(true);
  });

  it("prefers a value's own path to the one for everything below, and inclusion between equals", () => {
    expect(isIndexed(policy(["/*", "/a/?"], ["/a/*"]), "a")).toBe(true);
    expect(isIndexed(policy(["/*", "/a/?"], ["/a/*"]), "a", "b")).toBe(false);
    expect(isIndexed(policy(["/*", "/a/?"], ["/a/?"]), "a")).toBe(true);
  });

  it("knows elements of lists and quoted names", () => {
    const body = policy(["/list/[]/n/?", '/"a b"/?'], ["/*"]);
    expect(isIndexed(body, "list", "[]", "n")).toBe(true);
    expect(isIndexed(body, "list", "[]", "m")).toBe(false);
    expect(isIndexed(body, "a b")).toBe(true);
  });
});

describe("the time of the last write", () => {
  it("is indexed by a policy that excludes everything, and by no policy that is off", () => {
    const order = { query: "SELECT VALUE c.id FROM c ORDER BY c._ts DESC" };
    using excluded = openEngine({ indexingPolicy: { includedPaths: [], excludedPaths: [{ path: "/*" }] } });
    excluded.container.execute(["a"], create({ id: "1", pk: "a" }));
    expect(excluded.container.query(order).rows).toEqual(['"1"']);
    using off = openEngine({ indexingPolicy: { indexingMode: "none", automatic: false } });
    expect(refusalOf(() => off.container.query(order))).toMatchObject({ status: 400 });
  });
});
