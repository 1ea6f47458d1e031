/** Queries that an index serves do not read the rest of the container, however large it is. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { QueryRequest } from "../../src/engine/index.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { StatementWatch } from "../sql/support/statement-watch.ts";
import { create, type Fixture, onEngine, openEngine, upsert } from "./support/fixture.ts";

const watch = new StatementWatch();
afterAll(() => watch[Symbol.dispose]());

const now = new Map([["@now", 500]]);
const DUE = "SELECT * FROM c WHERE c.type = 'x' AND c.visibleAt <= @now ORDER BY c.enqueuedAt";
const TOP = "SELECT TOP 10 * FROM c WHERE c.type = 'x' AND c.visibleAt <= @now ORDER BY c.enqueuedAt";

/** Enough for indexes, in one large partition and many small ones. */
function filled(definition: JsonObject): Fixture {
  const fixture = openEngine(definition);
  const operations = Array.from({ length: 900 }, (_, index) => {
    const pk = index % 2 === 0 ? "large" : `small-${index % 60}`;
    const type = ["x", "y", "z"][index % 3] ?? "x";
    return {
      partitionKey: [pk],
      operation: create({ id: String(index), pk, type, visibleAt: index, enqueuedAt: 1000 - index }),
    };
  });
  fixture.container.bulk(operations);
  return fixture;
}

/** Returns SQLite's plans for the statements of a query. */
function plansOf({ container }: Fixture, request: QueryRequest): readonly string[] {
  return watch.plansOf(() => container.query(request));
}

/** Rows that were found may still be sorted: ties by insertion, and what an index holds in another order. */
function isAccess(plan: string): boolean {
  return !plan.startsWith("USE TEMP B-TREE");
}

const composite = {
  indexingPolicy: {
    includedPaths: [{ path: "/*" }],
    excludedPaths: [],
    compositeIndexes: [
      [
        { path: "/type", order: "ascending" },
        { path: "/enqueuedAt", order: "ascending" },
      ],
    ],
  },
};

describe.each([
  ["without a composite index", {}],
  ["with a composite index", composite],
])("%s", (_name, definition) => {
  let fixture: Fixture;
  beforeAll(() => {
    fixture = filled(definition);
  });
  afterAll(() => fixture[Symbol.dispose]());

  it.each([
    ["equality on one property", { query: "SELECT * FROM c WHERE c.type = 'x'" }],
    ["equality with a parameter", { query: "SELECT * FROM c WHERE c.visibleAt = @now", parameters: now }],
    ["a range", { query: "SELECT * FROM c WHERE c.enqueuedAt < 10" }],
    ["what is due, in order", { query: DUE, parameters: now }],
    ["the first that are due", { query: TOP, parameters: now }],
    ["a single ORDER BY", { query: "SELECT TOP 5 * FROM c ORDER BY c.visibleAt" }],
  ] as const)("%s is searched in an index", (_what, request) => {
    const plans = plansOf(fixture, request);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans.filter(isAccess)) {
      expect(plan).toMatch(/^(SEARCH|SCAN) d USING (COVERING )?INDEX items_\d+_by_/);
    }
  });

  it.each([
    ["equality", "SELECT * FROM c WHERE c.type = 'x'"],
    ["what is due", DUE],
    ["the first that are due", TOP],
  ])("%s in a large partition is searched in an index that begins with its key", (_what, query) => {
    const plans = plansOf(fixture, { query, parameters: now, partitionKey: ["large"] });
    for (const plan of plans.filter(isAccess)) {
      expect(plan).toMatch(/^SEARCH d USING (COVERING )?INDEX items_\d+_by_\w+ \(pk=\? AND /);
    }
  });

  it("a small partition is searched by its key alone", () => {
    const plans = plansOf(fixture, { query: DUE, parameters: now, partitionKey: ["small-1"] });
    for (const plan of plans.filter(isAccess)) {
      expect(plan).toMatch(/^SEARCH d USING INDEX (sqlite_autoindex_items_\d+_1|items_\d+_by_\w+) \(pk=\?/);
    }
  });

  it("rows come out of the index in order, so that TOP ends the work early", () => {
    expect(plansOf(fixture, { query: TOP, parameters: now }).join()).not.toContain("TEMP B-TREE");
  });
});

describe("indexes", () => {
  const indexNames = (fixture: Fixture): number =>
    plansOf(fixture, { query: "SELECT * FROM c WHERE c.type = 'x'" }).filter((plan) => plan.includes("_by_"))
      .length;

  onEngine("are not created for small containers", (fixture) => {
    for (let index = 0; index < 50; index++) {
      fixture.container.execute(["a"], create({ id: String(index), pk: "a", type: "x" }));
    }
    expect(indexNames(fixture)).toBe(0);
  });

  it("are not created for paths that the policy excludes", () => {
    using fixture = filled({
      indexingPolicy: { includedPaths: [{ path: "/*" }], excludedPaths: [{ path: "/type/?" }] },
    });
    expect(indexNames(fixture)).toBe(0);
  });

  it("are rebuilt for what a changed policy allows", () => {
    using fixture = filled({});
    expect(indexNames(fixture)).toBe(1);
    const { body } = fixture.engine.readContainer("db", "docs");
    const indexingPolicy = { includedPaths: [{ path: "/*" }], excludedPaths: [{ path: "/type/?" }] };
    fixture.engine.replaceContainer("db", "docs", { ...JSON.parse(body), indexingPolicy });
    expect(indexNames({ ...fixture, container: fixture.reopened() })).toBe(0);
  });

  it("show what was written after their creation", () => {
    using fixture = filled({});
    const query = "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'new'";
    expect(fixture.container.query({ query }).rows).toEqual(["0"]);
    fixture.container.execute(["large"], upsert({ id: "0", pk: "large", type: "new" }));
    expect(fixture.container.query({ query }).rows).toEqual(["1"]);
  });

  it("have a limit in number, beyond which queries are answered all the same", () => {
    using fixture = filled({});
    for (let index = 0; index < 40; index++) {
      const query = `SELECT VALUE COUNT(1) FROM c WHERE c.type = 'x' AND NOT IS_DEFINED(c.p${index})`;
      expect(fixture.container.query({ query }).rows).toEqual(["300"]);
    }
  });
});
