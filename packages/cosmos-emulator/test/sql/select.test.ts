import { describe, expect, test } from "vitest";
import { queryErrorOf, TestContainer } from "./support/container.ts";

const container = new TestContainer([
  { id: "a", n: 1, o: { p: "x" }, list: [1, 2] },
  { id: "b", n: null, list: [] },
  { id: "c" },
]);

describe("what a row looks like", () => {
  test.each([
    ["SELECT * FROM c WHERE c.id = 'a'", [{ id: "a", n: 1, o: { p: "x" }, list: [1, 2] }]],
    ["SELECT c.id, c.n FROM c", [{ id: "a", n: 1 }, { id: "b", n: null }, { id: "c" }]],
    ["SELECT c.o.p FROM c", [{ p: "x" }, {}, {}]],
    ["SELECT c['n'] FROM c WHERE c.id = 'a'", [{ n: 1 }]],
    ["SELECT c.list[0] FROM c WHERE c.id = 'a'", [{ $1: 1 }]],
    ["SELECT c FROM c WHERE c.id = 'c'", [{ c: { id: "c" } }]],
    ["SELECT c.n AS number, c.o AS object FROM c WHERE c.id = 'a'", [{ number: 1, object: { p: "x" } }]],
    ["SELECT 1, c.id, 2, 3 AS three FROM c WHERE c.id = 'a'", [{ $1: 1, id: "a", $2: 2, three: 3 }]],
    [
      "SELECT c.n + 1, {'k': c.id}, [c.id, c.nope] FROM c WHERE c.id = 'a'",
      [{ $1: 2, $2: { k: "a" }, $3: ["a", null] }],
    ],
    ["SELECT VALUE [c.n, c.nope] FROM c WHERE c.id = 'a'", [[1, null]]],
    ["SELECT VALUE c.n FROM c", [1, null]],
    ["SELECT VALUE {'id': c.id, 'n': c.n} FROM c", [{ id: "a", n: 1 }, { id: "b", n: null }, { id: "c" }]],
    ["SELECT VALUE c FROM c WHERE c.id = 'c'", [{ id: "c" }]],
    ["SELECT 1 AS one", [{ one: 1 }]],
    ["SELECT VALUE undefined FROM c", []],
    ["SELECT undefined AS x FROM c WHERE c.id = 'c'", [{}]],
  ])("%s", (query, rows) => {
    expect(container.query(query)).toEqual(rows);
  });

  /** Seen on the service, see docs/reference/cosmos-protocol.md §1.5. */
  test.each([
    ["9007199254740993", "9007199254740993"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["18446744073709551615", "1.8446744073709552e+19"],
    ["1.8446744073709552e+019", "1.8446744073709552e+19"],
    ["1e300", "1e+300"],
    ["0.1", "0.1"],
  ])("a stored %s is answered as %s", (stored, answered) => {
    const documents = new TestContainer();
    documents.insert({ id: "a" }, `{"id":"a","text":"${stored}","n":${stored}}`);
    const rows = (query: string): readonly string[] => documents.page(query).rows;
    expect(rows("SELECT VALUE c.n FROM c")).toEqual([answered]);
    expect(rows("SELECT VALUE [c.n] FROM c")).toEqual([`[${answered}]`]);
    expect(rows("SELECT * FROM c")).toEqual([`{"id":"a","text":"${stored}","n":${answered}}`]);
    expect(rows("SELECT DISTINCT VALUE c.n FROM c")).toEqual([answered]);
  });

  test.each([
    ["12345678901234567890", "1.2345678901234567e+19"],
    ["9007199254740993", "9007199254740993"],
    ["9007199254740993 + 1", "9007199254740994"],
    ["9007199254740993 - 1", "9007199254740992"],
    ["9223372036854775807 + 1", "9.2233720368547758e+18"],
    ["1 / 3", "0.33333333333333331"],
    ["0.1 + 0.2", "0.30000000000000004"],
  ])("%s is answered as %s", (expression, answered) => {
    expect(container.page(`SELECT VALUE ${expression}`).rows).toEqual([answered]);
  });
});

describe("sources", () => {
  test.each([
    ["SELECT VALUE c.id FROM c", ["a", "b", "c"]],
    ["SELECT VALUE root.id FROM root", ["a", "b", "c"]],
    ["SELECT VALUE r.id FROM Anything AS r", ["a", "b", "c"]],
    ["SELECT VALUE r.id FROM Anything r", ["a", "b", "c"]],
    ["SELECT * FROM c.o", [{ p: "x" }]],
    ["SELECT VALUE o.p FROM c.o", ["x"]],
    ["SELECT VALUE q FROM c.o.p AS q", ["x"]],
    ["SELECT VALUE x FROM x IN c.list", [1, 2]],
    ["SELECT * FROM x IN c.list", [1, 2]],
    ["SELECT VALUE x FROM x IN c.o", []],
    ["SELECT VALUE x FROM x IN c.id", []],
    ["SELECT VALUE x FROM x IN [1, [2], null]", [1, [2], null]],
    ["SELECT VALUE x FROM x IN @list", ["p"]],
    ["SELECT VALUE s FROM (SELECT VALUE c.n FROM c) AS s", [1, null]],
    ["SELECT VALUE s.id FROM (SELECT c.id, c.n FROM c WHERE IS_DEFINED(c.n)) AS s WHERE s.n = 1", ["a"]],
    ["SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE IS_DEFINED(c.n) FROM c) AS s", [2]],
    ["SELECT VALUE x FROM x IN (SELECT VALUE c.list FROM c)", [1, 2]],
  ])("%s", (query, rows) => {
    expect(container.query(query, { "@list": ["p"] })).toEqual(rows);
  });

  test("every kind of element of an array comes out as it is", () => {
    const list = ['a"\\\u0000é', 1, 0.30000000000000004, 1e300, -5, true, false, null, [1], { a: {} }, ""];
    const stored = new TestContainer([{ id: "a", list }]);
    expect(stored.query("SELECT VALUE x FROM x IN c.list")).toEqual(list);
    expect(stored.query("SELECT VALUE c.id FROM c JOIN x IN c.list WHERE x = 0.30000000000000004")).toEqual([
      "a",
    ]);
  });

  test("64-bit integers in arrays keep their digits", () => {
    const stored = new TestContainer();
    stored.insert({ id: "a" }, '{"id":"a","list":[9007199254740993,-9223372036854775808]}');
    expect(stored.page("SELECT VALUE x FROM x IN c.list").rows).toEqual([
      "9007199254740993",
      "-9223372036854775808",
    ]);
  });

  test.each([
    ["SELECT * FROM c JOIN x IN c.list", "SC2100"],
    ["SELECT *", "SC2100"],
    ["SELECT VALUE s FROM (SELECT VALUE 1)", "SC2100"],
    ["SELECT VALUE 1 FROM [1]", "SC2100"],
  ])("%s is refused", (query, code) => {
    expect(queryErrorOf(() => container.query(query)).code).toBe(code);
  });
});

describe("TOP, OFFSET and LIMIT", () => {
  test.each([
    ["SELECT TOP 2 VALUE c.id FROM c", ["a", "b"]],
    ["SELECT TOP 0 VALUE c.id FROM c", []],
    ["SELECT TOP @n VALUE c.id FROM c", ["a"]],
    ["SELECT TOP 5 VALUE c.n FROM c", [1, null]],
    ["SELECT VALUE c.id FROM c OFFSET 1 LIMIT 1", ["b"]],
    ["SELECT VALUE c.id FROM c OFFSET @n LIMIT @n", ["b"]],
    ["SELECT VALUE c.id FROM c OFFSET 5 LIMIT 5", []],
    ["SELECT VALUE c.id FROM c ORDER BY c.id DESC OFFSET 1 LIMIT 5", ["b", "a"]],
    ["SELECT TOP 1 VALUE c.id FROM c ORDER BY c.id DESC", ["c"]],
    ["SELECT VALUE ARRAY(SELECT TOP 1 VALUE x FROM x IN c.list) FROM c WHERE c.id = 'a'", [[1]]],
    ["SELECT VALUE ARRAY(SELECT VALUE x FROM x IN c.list OFFSET 1 LIMIT 1) FROM c WHERE c.id = 'a'", [[2]]],
  ])("%s", (query, rows) => {
    expect(container.query(query, { "@n": 1 })).toEqual(rows);
  });

  test.each([
    ["SELECT TOP 1.5 * FROM c"],
    ["SELECT TOP @text * FROM c"],
    ["SELECT TOP @negative * FROM c"],
    ["SELECT TOP @missing * FROM c"],
    ["SELECT TOP 99999999999 * FROM c"],
    ["SELECT TOP 1 * FROM c OFFSET 0 LIMIT 1"],
  ])("%s is refused", (query) => {
    const error = queryErrorOf(() => container.query(query, { "@text": "1", "@negative": -1 }));
    expect(error.code).toBe("SC2100");
    expect(error.location.start).toBe(11);
  });
});
