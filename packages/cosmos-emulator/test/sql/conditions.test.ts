/** Conditions of patch requests (docs/reference/cosmos-protocol.md §1.5, §4): true of a document, or not. */
import { describe, expect, test } from "vitest";
import { compilePredicate } from "../../src/sql/index.ts";
import { errorOf, type Parameters, queryErrorOf, TestContainer } from "./support/container.ts";

const container = new TestContainer();
const DOCUMENT = {
  id: "1",
  state: "waiting",
  n: 5,
  nothing: null,
  flag: true,
  tags: ["a", "b"],
  Value: 1,
  order: { "by whom": "me" },
};

function holds(condition: string, parameters: Parameters = {}, document: object = DOCUMENT): boolean {
  const test = compilePredicate(condition, new Map(Object.entries(parameters)));
  return test(container.statements, JSON.stringify(document));
}

describe("a condition is a whole FROM with WHERE, a WHERE, or bare", () => {
  test.each([
    ["from c where c.n = 5"],
    ["FROM items AS i WHERE i.n = 5"],
    ["FROM items i WHERE i.n = 5"],
    ["where c.n = 5"],
    ["WHERE anything.n = 5"],
    ["c.n = 5"],
    ["NOT (5 != doc.n)"],
    ["from c"],
    ["FROM t IN c.tags WHERE t = 'b'"],
    ["FROM c JOIN t IN c.tags WHERE t = 'a' AND c.n > 1"],
  ])("%s", (condition) => {
    expect(holds(condition)).toBe(true);
    expect(holds(condition, {}, {})).toBe(condition === "from c");
  });
});

describe("only true is true", () => {
  test.each([
    ["c.n = 4", false],
    ["c.state = 'waiting' AND c.n < 6", true],
    ["c.absent = 1", false],
    ["NOT (c.absent = 1)", false],
    ["c.absent != 1", false],
    ["NOT IS_DEFINED(c.absent)", true],
    ["c.nothing = null", true],
    ["c.nothing < 1", false],
    ["c.n", false],
    ["c.flag", true],
    ["NOT c.flag", false],
    ["'true'", false],
    ["ARRAY_CONTAINS(c.tags, 'a')", true],
    ["EXISTS (SELECT VALUE t FROM t IN c.tags WHERE t = 'c')", false],
    ["c.n = @n", true],
    ["c.n = @absent", false],
  ])("%s is %s", (condition, expected) => {
    expect(holds(condition, { "@n": 5 })).toBe(expected);
  });
});

/** Conditions that users report of the service. */
test.each([["WHERE NOT IS_STRING(c.Value)"], ["c.order['by whom'] = 'me'"], ["c.Value IN (c.order, 1)"]])(
  "keywords are names of properties behind a dot: %s",
  (condition) => {
    expect(holds(condition)).toBe(true);
  },
);

test("one condition is compiled once and asked of many documents", () => {
  const condition = compilePredicate("c.n > 2 AND c.n < 5");
  const numbers = [1, 2, 3, 4, 5].filter((n) => condition(container.statements, JSON.stringify({ n })));
  expect(numbers).toEqual([3, 4]);
});

describe("what is no condition is refused", () => {
  test.each([
    ["", "SC1002"],
    ["where", "SC1001"],
    ["from c where", "SC1001"],
    ["SELECT * FROM c", "SC1001"],
    ["from c where c.a = 1 order by c.a", "SC1001"],
    ["c.a = 1; c.b = 2", "SC1010"],
    ["c.a = d.a", "SC2001"],
    ["NOPE(c.a)", "SC2005"],
    ["COUNT(1) = 1", "SC2100"],
    [`${"(".repeat(10_000)}1${")".repeat(10_000)}`, "SC3001"],
  ])("%.40s", (condition, code) => {
    expect(queryErrorOf(() => holds(condition)).code).toBe(code);
  });

  test("as is one that fails on the document", () => {
    expect(errorOf(() => holds("1 / (c.n - 5) > 0"))).toMatchObject({ status: 400, substatus: 4001 });
    expect(holds("1 / (c.n - 4) > 0")).toBe(true);
  });
});
