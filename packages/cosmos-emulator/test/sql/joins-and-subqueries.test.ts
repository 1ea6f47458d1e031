import { describe, expect, test } from "vitest";
import { queryErrorOf, TestContainer } from "./support/container.ts";

const container = new TestContainer([
  {
    id: "a",
    tags: ["p", "q"],
    items: [
      { k: "x", n: [1, 2] },
      { k: "y", n: [3] },
    ],
  },
  { id: "b", tags: ["q"], items: [{ k: "z", n: [] }] },
  { id: "c", tags: [] },
  { id: "d" },
]);

describe("JOIN", () => {
  test.each([
    [
      "SELECT c.id, t FROM c JOIN t IN c.tags",
      [
        { id: "a", t: "p" },
        { id: "a", t: "q" },
        { id: "b", t: "q" },
      ],
    ],
    [
      "SELECT VALUE [t, i.k] FROM c JOIN t IN c.tags JOIN i IN c.items",
      [
        ["p", "x"],
        ["p", "y"],
        ["q", "x"],
        ["q", "y"],
        ["q", "z"],
      ],
    ],
    ["SELECT VALUE n FROM c JOIN i IN c.items JOIN n IN i.n", [1, 2, 3]],
    ["SELECT VALUE n FROM i IN c.items JOIN n IN i.n", [1, 2, 3]],
    ["SELECT VALUE c.id FROM c JOIN t IN c.tags WHERE t = 'q'", ["a", "b"]],
    ["SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.id = 'a' AND t != 'p'", ["q"]],
    ["SELECT VALUE s FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE t > 'p') AS s", ["q", "q"]],
    ["SELECT VALUE s FROM c JOIN s IN (SELECT VALUE t FROM t IN c.tags WHERE t > 'p')", ["q", "q"]],
    [
      "SELECT VALUE s.both FROM c JOIN (SELECT i.k || '!' AS both FROM i IN c.items) AS s",
      ["x!", "y!", "z!"],
    ],
    ["SELECT VALUE f.k FROM c JOIN c.items[0] AS f", ["x", "z"]],
  ])("%s", (query, rows) => {
    expect(container.query(query)).toEqual(rows);
  });

  test("each page goes on behind the row of the document that the last one ended with", () => {
    const query = "SELECT VALUE [c.id, t, i.k] FROM c JOIN t IN c.tags JOIN i IN c.items";
    const all = container.query(query);
    for (let maxItems = 1; maxItems <= all.length; maxItems += 1) {
      expect(container.query(query, {}, { maxItems })).toEqual(all);
    }
  });
});

describe("subqueries as values", () => {
  test.each([
    ["SELECT VALUE (SELECT VALUE COUNT(1) FROM t IN c.tags) FROM c", [2, 1, 0, 0]],
    ["SELECT VALUE (SELECT VALUE t FROM t IN c.tags) FROM c", ["q"]],
    ["SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags) FROM c", [["p", "q"], ["q"], [], []]],
    [
      "SELECT VALUE ARRAY(SELECT t AS tag FROM t IN c.tags WHERE t = 'q') FROM c WHERE c.id = 'a'",
      [[{ tag: "q" }]],
    ],
    ["SELECT VALUE ARRAY(SELECT DISTINCT VALUE LENGTH(t) FROM t IN c.tags) FROM c WHERE c.id = 'a'", [[1]]],
    [
      "SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags ORDER BY t DESC) FROM c WHERE c.id = 'a'",
      [["q", "p"]],
    ],
    [
      "SELECT VALUE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 'p') FROM c",
      [true, false, false, false],
    ],
    ["SELECT VALUE EXISTS(SELECT VALUE undefined FROM t IN c.tags) FROM c WHERE c.id = 'a'", [false]],
    [
      "SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE i FROM i IN c.items WHERE ARRAY_LENGTH(i.n) > 1)",
      ["a"],
    ],
    ["SELECT VALUE c.id FROM c WHERE NOT EXISTS(SELECT VALUE t FROM t IN c.tags)", ["c", "d"]],
    [
      "SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE i FROM i IN c.items WHERE EXISTS(SELECT VALUE n FROM n IN i.n WHERE n = 3))",
      ["a"],
    ],
    ["SELECT VALUE (SELECT VALUE MAX(n) FROM i IN c.items JOIN n IN i.n) FROM c", [3]],
    [
      "SELECT VALUE (SELECT VALUE {'id': c.id, 'first': c.tags[0]}) FROM c WHERE c.id = 'b'",
      [{ id: "b", first: "q" }],
    ],
    ["SELECT VALUE (SELECT VALUE s || s FROM (SELECT VALUE c.id) AS s) FROM c WHERE c.id = 'b'", ["bb"]],
    [
      "SELECT VALUE ARRAY(SELECT t AS tag, COUNT(1) AS n FROM t IN c.tags GROUP BY t) FROM c WHERE c.id = 'b'",
      [[{ tag: "q", n: 1 }]],
    ],
  ])("%s", (query, rows) => {
    expect(container.query(query)).toEqual(rows);
  });

  test("deeply nested ones cost as much as they are long", () => {
    const nest = (depth: number): string =>
      depth === 0 ? "c.id" : `(SELECT VALUE UPPER(${nest(depth - 1)}))`;
    expect(container.query(`SELECT VALUE ${nest(30)} FROM c WHERE c.id = 'a'`)).toEqual(["A"]);
    const sum = (depth: number): string => (depth === 0 ? "1" : `(SELECT VALUE SUM(${sum(depth - 1)}))`);
    expect(container.query(`SELECT VALUE ${sum(20)} FROM c WHERE c.id = 'a'`)).toEqual([1]);
  });

  test("names of a subquery end with it", () => {
    const query = "SELECT VALUE t FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags)";
    expect(queryErrorOf(() => container.query(query))).toMatchObject({
      code: "SC2001",
      location: { start: 13, end: 14 },
    });
  });

  test("a subquery reads the row around it and no container", () => {
    const query = "SELECT VALUE EXISTS(SELECT VALUE x FROM other x) FROM c";
    expect(queryErrorOf(() => container.query(query)).code).toBe("SC2001");
  });
});
