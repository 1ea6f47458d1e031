import { describe, expect, test } from "vitest";
import { queryErrorOf, TestContainer } from "./support/container.ts";

const container = new TestContainer([
  { id: "1", kind: "a", n: 1, mixed: 5, tags: ["x", "y"] },
  { id: "2", kind: "b", n: 2, mixed: "text", tags: ["x"] },
  { id: "3", kind: "a", n: 4, mixed: null },
  { id: "4", kind: "b", mixed: false },
  { id: "5", n: 8 },
]);

/** Rules: undefined values do not count; SUM and AVG of anything but numbers are undefined. */
describe("aggregates of all rows", () => {
  test.each([
    ["COUNT(1)", 5],
    ["COUNT(c.n)", 4],
    ["COUNT(c.nope)", 0],
    ["COUNT(c.mixed)", 4],
    ["SUM(c.n)", 15],
    ["SUM(c.n + 1)", 19],
    ["SUM(c.mixed)", undefined],
    ["SUM(c.nope)", 0],
    ["AVG(c.n)", 3.75],
    ["AVG(c.mixed)", undefined],
    ["AVG(c.nope)", undefined],
    ["MIN(c.n)", 1],
    ["MAX(c.n)", 8],
    ["MIN(c.id)", "1"],
    ["MAX(c.id)", "5"],
    ["MIN(c.mixed)", null],
    ["MAX(c.mixed)", "text"],
    ["MIN(c.nope)", undefined],
    ["MAX(c.tags)", undefined],
    ["MIN(-c.n)", -8],
    ["count(1)", 5],
  ])("%s", (aggregate, value) => {
    expect(container.query(`SELECT VALUE ${aggregate} FROM c`)).toEqual(value === undefined ? [] : [value]);
    const row = value === undefined ? {} : { v: value };
    expect(container.query(`SELECT ${aggregate} AS v FROM c`)).toEqual([row]);
    expect(container.query(`SELECT ${aggregate} FROM c`)).toEqual(
      value === undefined ? [{}] : [{ $1: value }],
    );
  });

  test.each([
    ["COUNT(1)", [0]],
    ["SUM(c.n)", [0]],
    ["AVG(c.n)", []],
    ["MIN(c.n)", []],
    ["[COUNT(1), MAX(c.n)]", [[0, null]]],
  ])("%s of no rows", (aggregate, rows) => {
    expect(container.query(`SELECT VALUE ${aggregate} FROM c WHERE c.id = 'none'`)).toEqual(rows);
  });

  test.each([
    ["SELECT VALUE COUNT(1) * 10 FROM c", [50]],
    ["SELECT VALUE SUM(c.n) / COUNT(c.n) FROM c", [3.75]],
    ["SELECT VALUE {'n': COUNT(1), 'all': [MIN(c.n), MAX(c.n)]} FROM c", [{ n: 5, all: [1, 8] }]],
    ["SELECT VALUE COUNT(1) > 3 ? 'many' : 'few' FROM c", ["many"]],
    ["SELECT VALUE CONCAT(MIN(c.id), MAX(c.id)) FROM c", ["15"]],
    ["SELECT VALUE COUNT(t) FROM c JOIN t IN c.tags", [3]],
    ["SELECT COUNT(1) AS n, 'x' AS x FROM c", [{ n: 5, x: "x" }]],
    ["SELECT VALUE COUNT((SELECT VALUE t FROM t IN c.tags)) FROM c", [1]],
    ["SELECT TOP 1 VALUE COUNT(1) FROM c", [5]],
    ["SELECT VALUE COUNT(1) FROM c OFFSET 1 LIMIT 1", []],
  ])("%s", (query, rows) => {
    expect(container.query(query)).toEqual(rows);
  });

  test("numbers of every size keep their order and value", () => {
    const numbers = [-1e300, -2, -1.5, -5e-324, 0, 5e-324, 0.1, 1, 2 ** 53, 1e300];
    const stored = new TestContainer(numbers.map((n, at) => ({ id: `${at}`, n })));
    expect(stored.query("SELECT VALUE [MIN(c.n), MAX(c.n)] FROM c")).toEqual([[-1e300, 1e300]]);
    for (const n of numbers) {
      expect(stored.query("SELECT VALUE MIN(c.n) FROM c WHERE c.n >= @n", { "@n": n })).toEqual([n]);
    }
  });
});

describe("GROUP BY", () => {
  test.each([
    [
      "SELECT c.kind, COUNT(1) AS n FROM c GROUP BY c.kind",
      [{ kind: "a", n: 2 }, { kind: "b", n: 2 }, { n: 1 }],
    ],
    [
      "SELECT COUNT(1) AS n, SUM(c.n) AS s, AVG(c.n) AS avg FROM c GROUP BY c.kind",
      [
        { n: 2, s: 5, avg: 2.5 },
        { n: 2, s: 2, avg: 2 },
        { n: 1, s: 8, avg: 8 },
      ],
    ],
    ["SELECT VALUE c.kind FROM c GROUP BY c.kind", ["a", "b"]],
    ["SELECT VALUE COUNT(1) FROM c GROUP BY c.kind", [2, 2, 1]],
    ["SELECT UPPER(c.kind) AS k FROM c GROUP BY UPPER(c.kind)", [{ k: "A" }, { k: "B" }, {}]],
    [
      "SELECT c.kind || '!' AS k, COUNT(1) AS n FROM c WHERE IS_DEFINED(c.kind) GROUP BY c.kind",
      [
        { k: "a!", n: 2 },
        { k: "b!", n: 2 },
      ],
    ],
    ["SELECT c.kind = 'a' ? 1 : 0 AS x FROM c GROUP BY c.kind", [{ x: 1 }, { x: 0 }, { x: 0 }]],
    [
      "SELECT t, COUNT(1) AS n FROM c JOIN t IN c.tags GROUP BY t",
      [
        { t: "x", n: 2 },
        { t: "y", n: 1 },
      ],
    ],
    [
      "SELECT c.kind, IS_NUMBER(c.n) AS has, COUNT(1) AS n FROM c GROUP BY c.kind, IS_NUMBER(c.n)",
      [
        { kind: "a", has: true, n: 2 },
        { kind: "b", has: true, n: 1 },
        { kind: "b", has: false, n: 1 },
        { has: true, n: 1 },
      ],
    ],
    ["SELECT DISTINCT VALUE COUNT(1) FROM c GROUP BY c.kind", [2, 1]],
    ["SELECT TOP 1 VALUE c.kind FROM c GROUP BY c.kind", ["a"]],
    ["SELECT VALUE c.kind FROM c GROUP BY c.kind OFFSET 1 LIMIT 1", ["b"]],
  ])("%s", (query, rows) => {
    expect(container.query(query)).toEqual(rows);
  });

  test("equal values are one group, whatever the order of their properties", () => {
    const stored = new TestContainer([
      { id: "1", k: { a: 1, b: [2] } },
      { id: "2", k: { b: [2], a: 1 } },
      { id: "3", k: "1" },
      { id: "4", k: 1 },
      { id: "5", k: null },
    ]);
    stored.insert({ id: "6" }, '{"id":"6","k":1.0}');
    const rows = stored.query("SELECT VALUE COUNT(1) FROM c GROUP BY c.k");
    expect(rows).toEqual([2, 1, 2, 1]);
  });
});

describe("DISTINCT", () => {
  test.each([
    ["SELECT DISTINCT VALUE c.kind FROM c", ["a", "b"]],
    ["SELECT DISTINCT c.kind FROM c", [{ kind: "a" }, { kind: "b" }, {}]],
    ["SELECT DISTINCT VALUE t FROM c JOIN t IN c.tags", ["x", "y"]],
    ["SELECT DISTINCT VALUE c.kind FROM c ORDER BY c.kind DESC", ["b", "a"]],
    ["SELECT DISTINCT TOP 1 VALUE c.kind FROM c", ["a"]],
    ["SELECT DISTINCT VALUE c.kind FROM c OFFSET 1 LIMIT 1", ["b"]],
    ["SELECT DISTINCT VALUE {'b': 1, 'a': c.kind} FROM c WHERE c.kind = 'a'", [{ b: 1, a: "a" }]],
    ["SELECT DISTINCT * FROM c WHERE c.id = '5'", [{ id: "5", n: 8 }]],
  ])("%s", (query, rows) => {
    expect(container.query(query)).toEqual(rows);
  });
});

describe("what is not settled for a group is refused", () => {
  test.each([
    ["SELECT c.id, COUNT(1) FROM c", 7, 11],
    ["SELECT c.id FROM c GROUP BY c.kind", 7, 11],
    ["SELECT VALUE {'x': c.n + COUNT(1)} FROM c GROUP BY c.kind", 19, 22],
    ["SELECT * FROM c GROUP BY c.kind", 7, 8],
    ["SELECT c.kind FROM c GROUP BY c.kind ORDER BY c.kind", 46, 52],
    ["SELECT VALUE COUNT(1) FROM c ORDER BY c.id", 38, 42],
    ["SELECT VALUE c.id FROM c WHERE COUNT(1) > 1", 31, 39],
    ["SELECT VALUE COUNT(SUM(c.n)) FROM c", 19, 27],
    ["SELECT COUNT(1), ARRAY(SELECT VALUE t FROM t IN c.tags) FROM c", 17, 55],
    ["SELECT VALUE 1 FROM c GROUP BY COUNT(1)", 31, 39],
  ])("%s", (query, start, end) => {
    expect(queryErrorOf(() => container.query(query))).toMatchObject({ location: { start, end } });
  });

  test("an aggregate takes one argument", () => {
    expect(queryErrorOf(() => container.query("SELECT VALUE COUNT() FROM c")).code).toBe("SC2050");
    expect(queryErrorOf(() => container.query("SELECT VALUE SUM(1, 2) FROM c")).code).toBe("SC2050");
  });
});
