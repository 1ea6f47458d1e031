/** Statements are prepared once for each connection and kept, and nothing of one run is seen in the next. */
import { afterAll, describe, expect, test } from "vitest";
import { indexExpressions } from "../../src/sql/index.ts";
import { errorOf, nowMs, TestContainer } from "./support/container.ts";
import { StatementWatch } from "./support/statement-watch.ts";

const watch = new StatementWatch();
afterAll(() => watch[Symbol.dispose]());

function numbered(count: number): TestContainer {
  return new TestContainer(Array.from({ length: count }, (_, n) => ({ id: `${n}`, n, even: n % 2 === 0 })));
}

describe("a query that is asked again prepares nothing", () => {
  test.each([
    ["SELECT * FROM c WHERE c.n = @n"],
    ["SELECT TOP 3 * FROM c WHERE c.n >= @n ORDER BY c.n DESC"],
    ["SELECT VALUE COUNT(1) FROM c WHERE c.n < @n"],
    ["SELECT DISTINCT VALUE c.even FROM c WHERE c.n < @n"],
    ["SELECT c.even, SUM(c.n) AS sum FROM c WHERE c.n < @n GROUP BY c.even"],
    ["SELECT VALUE (SELECT TOP 1 VALUE x FROM x IN [1, 2]) FROM c WHERE c.n < @n OFFSET 1 LIMIT 2"],
  ])("%s", (query) => {
    const container = numbered(20);
    expect(watch.preparedBy(() => container.query(query, { "@n": 5 }))).toBeGreaterThan(0);
    expect(watch.preparedBy(() => container.query(query, { "@n": 7 }))).toBe(0);
  });

  // One for the first page and one for the count; then one for each column that a row can lie behind another in.
  test.each([
    ["SELECT VALUE c.n FROM c", 2],
    ["SELECT VALUE c.n FROM c ORDER BY c.n", 5],
    ["SELECT TOP 18 VALUE c.n FROM c ORDER BY c.even, c.n", 7],
    ["SELECT DISTINCT VALUE c.n FROM c", 2],
  ])("all pages of %s share their statements", (query, count) => {
    const container = numbered(20);
    expect(watch.preparedBy(() => container.query(query, {}, { maxItems: 3 }))).toBe(count);
    expect(watch.preparedBy(() => container.query(query, {}, { maxItems: 3 }))).toBe(0);
  });

  test("the values of its scope are no part of it", () => {
    const container = new TestContainer([
      { id: "1", pk: "a" },
      { id: "2", pk: "b" },
    ]);
    const idsOf = (pk: string) =>
      container.query("SELECT VALUE c.id FROM c", {}, { conditions: [{ sql: "d.pk = ?", values: [pk] }] });
    expect(idsOf('["a"]')).toEqual(["1"]);
    expect(watch.preparedBy(() => expect(idsOf('["b"]')).toEqual(["2"]))).toBe(0);
  });
});

describe("a statement that is kept", () => {
  test("uses an index that was created later, and does without one that is gone", () => {
    const container = numbered(20);
    const plan = () => watch.plansOf(() => container.query("SELECT VALUE c.id FROM c WHERE c.n = 5"));
    expect(plan()).toEqual(["SCAN d"]);
    container.db.exec(`CREATE INDEX by_n ON ${container.table} (${indexExpressions("/n").join(", ")})`);
    expect(plan()).toEqual(["SEARCH d USING INDEX by_n (<expr>=? AND <expr>=?)"]);
    container.db.exec("DROP INDEX by_n");
    expect(plan()).toEqual(["SCAN d"]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE c.n = 5")).toEqual(["5"]);
  });

  test("sees documents that came and went", () => {
    const container = numbered(2);
    const ids = () => container.query("SELECT VALUE c.id FROM c");
    expect(ids()).toEqual(["0", "1"]);
    container.insert({ id: "2" });
    container.remove("0");
    expect(ids()).toEqual(["1", "2"]);
  });

  test("computes the time that is the same for a page anew with each page", () => {
    const container = numbered(1);
    const now = () => container.query("SELECT VALUE GetCurrentTimestampStatic() FROM c");
    expect(now()).toEqual([nowMs]);
    container.clockMs += 1000;
    expect(now()).toEqual([nowMs + 1000]);
  });

  test("fails for one value and answers for the next", () => {
    const container = numbered(2);
    const divided = (by: number) => container.query("SELECT VALUE c.n / @by FROM c", { "@by": by });
    expect(errorOf(() => divided(0)).substatus).toBe(4001);
    expect(divided(2)).toEqual([0, 0.5]);
    expect(errorOf(() => divided(0)).substatus).toBe(4001);
  });

  test.each([
    ["in a filter", "SELECT VALUE c.n FROM c WHERE c.n / @by = 0"],
    ["inside another function", "SELECT VALUE ABS(c.n / @by) FROM c WHERE c.n = 0"],
    ["inside another function of a filter", "SELECT VALUE c.n FROM c WHERE ABS(c.n / @by) = 0"],
    ["before an order", "SELECT VALUE c.n FROM c WHERE c.n = 0 AND (c.n / @by = 0) ORDER BY c.n"],
    ["inside an aggregate", "SELECT VALUE SUM(c.n / @by) FROM c WHERE c.n = 0"],
  ])("fails %s for one value and answers for the next", (_place, query) => {
    const container = numbered(2);
    const divided = (by: number) => container.query(query, { "@by": by });
    expect(errorOf(() => divided(0)).substatus).toBe(4001);
    expect(divided(2)).toEqual([0]);
    expect(errorOf(() => divided(0)).substatus).toBe(4001);
  });

  test("is run to the end by one page before the next begins with it", () => {
    const container = numbered(10);
    const first = container.page("SELECT VALUE c.n FROM c ORDER BY c.n", {}, { maxItems: 2 });
    const again = container.page("SELECT VALUE c.n FROM c ORDER BY c.n", {}, { maxItems: 2 });
    expect([first.rows, again.rows]).toEqual([
      ["0", "1"],
      ["0", "1"],
    ]);
    container.db.exec(`DROP TABLE ${container.table}`);
  });
});

test("the statements that were used last are kept, and no more than a few hundred", () => {
  const container = numbered(1);
  const ask = (n: number) => container.query(`SELECT VALUE c.p${n} FROM c`);
  ask(0);
  for (let n = 1; n < 1000; n += 1) {
    ask(n);
    if (n % 50 === 0) {
      ask(0);
    }
  }
  expect(watch.preparedBy(() => ask(0))).toBe(0);
  expect(watch.preparedBy(() => ask(999))).toBe(0);
  expect(watch.preparedBy(() => ask(500))).toBe(1);
});
