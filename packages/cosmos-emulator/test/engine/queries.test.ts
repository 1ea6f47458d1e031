/** Queries on containers: scopes, pages, and what they see. What SQL means is tested with its translation. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { QueryRequest } from "../../src/engine/index.ts";
import { create, type Fixture, openEngine, upsert } from "./support/fixture.ts";

let fixture: Fixture;
beforeAll(() => {
  fixture = openEngine({}, { physicalPartitions: 3 });
  for (let n = 0; n < 30; n++) {
    const pk = `k${n % 5}`;
    fixture.container.execute([pk], create({ id: String(n), pk, n, part: n % 2 }));
  }
});
afterAll(() => fixture[Symbol.dispose]());

/** All rows of a query, page by page. */
function rowsOf(request: QueryRequest): unknown[] {
  const rows: unknown[] = [];
  let continuation: string | undefined;
  do {
    const page = fixture.container.query({ ...request, ...(continuation !== undefined && { continuation }) });
    expect(page.rows.length).toBeLessThanOrEqual(request.maxItems ?? 1000);
    rows.push(...page.rows.map((row) => JSON.parse(row)));
    continuation = page.continuation;
  } while (continuation !== undefined);
  return rows;
}

const numbers = Array.from({ length: 30 }, (_, n) => n);

describe("a query", () => {
  it("sees the whole container, a physical partition, or a key", () => {
    const query = "SELECT VALUE c.n FROM c";
    expect(rowsOf({ query })).toEqual(numbers);
    const perRange = fixture.container.partitionKeyRanges().map(({ id }) => rowsOf({ query, rangeId: id }));
    expect(perRange.flat().sort((a, b) => Number(a) - Number(b))).toEqual(numbers);
    expect(rowsOf({ query, partitionKey: ["k2"] })).toEqual(numbers.filter((n) => n % 5 === 2));
    const rangeId = fixture.container.rangeIdOf(["k2"]);
    expect(rowsOf({ query, partitionKey: ["k2"], rangeId })).toHaveLength(6);
    const others = fixture.container.partitionKeyRanges().filter(({ id }) => id !== rangeId);
    expect(rowsOf({ query, partitionKey: ["k2"], rangeId: others[0]?.id ?? "" })).toEqual([]);
  });

  it.each([
    [undefined, 1000],
    [0, 1000],
    [1500, 1500],
    [-1, 2100],
  ])("asked for %j rows answers %i of 2100 in its first page, and so does a feed", (asked, rows) => {
    using large = openEngine();
    const { container } = large;
    for (let n = 0; n < 2100; n += 100) {
      const operations = Array.from({ length: 100 }, (_, m) => create({ id: String(n + m), pk: "a" }));
      container.batch(["a"], operations, "atomic");
    }
    const page = asked === undefined ? {} : { maxItems: asked };
    expect(container.query({ query: "SELECT VALUE c.id FROM c", ...page }).rows).toHaveLength(rows);
    expect(container.query({ query: "SELECT DISTINCT VALUE c.id FROM c", ...page }).rows).toHaveLength(rows);
    expect(container.readFeed(page).rows).toHaveLength(rows);
  });

  it("sees what the transaction around it wrote", () => {
    const { engine, container } = fixture;
    const query = "SELECT VALUE c.n FROM c WHERE c.n > 100";
    const failed = () =>
      engine.transaction(() => {
        container.execute(["k1"], upsert({ id: "1", pk: "k1", n: 101 }));
        expect(rowsOf({ query, partitionKey: ["k1"] })).toEqual([101]);
        throw new Error("undone");
      });
    expect(failed).toThrow("undone");
    expect(rowsOf({ query, partitionKey: ["k1"] })).toEqual([]);
  });

  it("costs more the more it returns", () => {
    const cost = (query: string): number => fixture.container.query({ query }).charge;
    expect(cost("SELECT * FROM c WHERE c.n = 1")).toBeLessThan(cost("SELECT * FROM c"));
  });
});
