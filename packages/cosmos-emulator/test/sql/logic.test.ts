import { describe, expect, test } from "vitest";
import { evaluate, TestContainer } from "./support/container.ts";

/** Three values: true, false, undefined; anything that is no boolean counts as undefined. */
describe("AND, OR and NOT", () => {
  test.each([
    ["true", "true", true, true],
    ["true", "false", false, true],
    ["true", "undefined", undefined, true],
    ["false", "false", false, false],
    ["false", "undefined", false, undefined],
    ["undefined", "undefined", undefined, undefined],
    ["false", "1", false, undefined],
    ["true", "'true'", undefined, true],
    ["null", "false", false, undefined],
  ])("%s and %s", (left, right, both, either) => {
    const container = new TestContainer([{ id: "a" }]);
    const count = (condition: string): unknown =>
      container.query(`SELECT VALUE COUNT(1) FROM c WHERE ${condition}`)[0];
    for (const [first, second] of [
      [left, right],
      [right, left],
    ]) {
      expect(evaluate(`${first} AND ${second}`)).toBe(both);
      expect(evaluate(`${first} OR ${second}`)).toBe(either);
      expect(count(`${first} AND ${second}`)).toBe(Number(both === true));
      expect(count(`${first} OR ${second}`)).toBe(Number(either === true));
      expect(count(`NOT (${first} AND ${second})`)).toBe(Number(both === false));
      expect(count(`NOT (${first} OR ${second})`)).toBe(Number(either === false));
    }
  });

  test.each([
    ["NOT true", false],
    ["NOT false", true],
    ["NOT undefined", undefined],
    ["NOT null", undefined],
    ["NOT 0", undefined],
    ["NOT NOT true", true],
    ["NOT (1 = '1')", true],
    ["NOT (1 < '1')", undefined],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  test("a filter keeps what is true, not what is not false", () => {
    const container = new TestContainer([
      { id: "true", v: true },
      { id: "false", v: false },
      { id: "text", v: "true" },
      { id: "one", v: 1 },
      { id: "null", v: null },
      { id: "none" },
    ]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE c.v")).toEqual(["true"]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE NOT c.v")).toEqual(["false"]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE c.v OR NOT c.v")).toEqual(["true", "false"]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE -c.v")).toEqual([]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE 1")).toEqual([]);
  });

  test("chains about one value are lists, with the same results", () => {
    const container = new TestContainer([
      { id: "1", n: 1 },
      { id: "2", n: 2 },
      { id: "a", n: "1" },
      { id: "x" },
    ]);
    const ids = (condition: string): unknown[] =>
      container.query(`SELECT VALUE c.id FROM c WHERE ${condition}`, { "@none": null });
    expect(ids("c.n = 1 OR c.n = '1' OR c.id = 'x'")).toEqual(["1", "a", "x"]);
    expect(ids("c.n != 1 AND 2 != c.n")).toEqual(["a"]);
    expect(ids("NOT (c.n = 1 OR c.n = 2)")).toEqual(["a"]);
    expect(ids("NOT (c.n != 1 AND c.n != 2)")).toEqual(["1", "2"]);
    expect(ids("NOT (c.n = 1 OR c.n = undefined)")).toEqual([]);
  });
});

describe("choices", () => {
  test.each([
    ["true ? 1 : 2", 1],
    ["false ? 1 : 2", 2],
    ["undefined ? 1 : 2", 2],
    ["'x' ? 1 : 2", 2],
    ["false ? 1 : true ? 2 : 3", 2],
    ["1 = 1 ? undefined : 2", undefined],
    ["undefined ?? 1", 1],
    ["null ?? 1", null],
    ["undefined ?? undefined ?? 3", 3],
    ["IIF(1 < 2, 'yes', 'no')", "yes"],
    ["IIF(1 < 'x', 'yes', 'no')", "no"],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });
});

/** The order of the query grammar in Microsoft's SDKs. */
describe("precedence", () => {
  test.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["10 - 2 - 3", 5],
    ["2 * 3 % 4", 2],
    ["1 + 1 = 2", true],
    ["1 < 2 = true", true],
    ["1 = 1 AND 2 = 2 OR false", true],
    ["false AND false OR true", true],
    ["true OR false AND false", true],
    ["NOT true = false", true],
    ["'a' || 'b' || 'c'", "abc"],
    ["6 & 3 | 8", 10],
    ["5 ^ 1", 4],
    ["1 << 3 + 1", 16],
    ["-1 >>> 28", 15],
    ["~1", -2],
    ["- - 1", 1],
    ["1 IN (1) AND true", true],
    ["1 BETWEEN 0 AND 2 AND false", false],
    ["undefined ?? 1 = 1", true],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });
});

describe("arithmetic", () => {
  test.each([
    ["1 + 'a'", undefined],
    ["1 + null", undefined],
    ["1 + undefined", undefined],
    ["true + 1", undefined],
    ["'a' || 1", undefined],
    ["0.1 + 0.2", 0.1 + 0.2],
    ["7 / 2", 3.5],
    ["7 % 3", 1],
    ["-7 % 3", -1],
    ["1e308 * 10", undefined],
    ["-'a'", undefined],
    ["+'1'", undefined],
    ["~'1'", undefined],
    ["5 & 'a'", undefined],
    ["4294967297 | 0", 1],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });

  test("values of documents are calculated with alike", () => {
    const container = new TestContainer([{ id: "a", n: 7, s: "x" }]);
    expect(
      container.query(
        "SELECT VALUE [c.n + 1, c.n - 1, c.n * 2, c.n / 2, c.n % 4, c.s || 'y', c.n & 3] FROM c",
      ),
    ).toEqual([[8, 6, 14, 3.5, 3, "xy", 3]]);
  });

  /** docs/reference/cosmos-protocol.md §2.1. */
  test.each([["1 / 0"], ["1 % 0"], ["c.n / (c.n - c.n)"]])("%s is 400 with sub-status 4001", (expression) => {
    const container = new TestContainer([{ id: "a", n: 1 }]);
    expect(() => container.query(`SELECT VALUE ${expression} FROM c`)).toThrow(
      expect.objectContaining({ status: 400, substatus: 4001 }),
    );
  });

  test("a division by zero that no row reaches fails nothing", () => {
    const container = new TestContainer([{ id: "a", n: 0 }]);
    expect(container.query("SELECT VALUE c.n != 0 ? 1 / c.n : 'none' FROM c")).toEqual(["none"]);
    expect(new TestContainer().query("SELECT VALUE 1 / 0 FROM c")).toEqual([]);
  });
});
