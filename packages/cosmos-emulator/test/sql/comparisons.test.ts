/**
 * Comparison operators on all pairs of types. `=` and `!=` tell types apart, the others are undefined across
 * types, and everything is undefined for undefined (docs/reference/cosmos-protocol.md §1.8).
 */
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/protocol/json.ts";
import { TestContainer } from "./support/container.ts";

const t = true;
const f = false;
const u = undefined;

/** left, right, then the results of = != < <= > >= */
const cases: readonly [string, string, ...(boolean | undefined)[]][] = [
  ["1", "1", t, f, f, t, f, t],
  ["1", "2", f, t, t, t, f, f],
  ["1.0", "1", t, f, f, t, f, t],
  ["-0", "0", t, f, f, t, f, t],
  ["0.1", "0.2", f, t, t, t, f, f],
  ["9007199254740993", "9007199254740992", t, f, f, t, f, t],
  ["'a'", "'a'", t, f, f, t, f, t],
  ["'a'", "'b'", f, t, t, t, f, f],
  ["'a'", "'A'", f, t, f, f, t, t],
  ["'a'", "'a '", f, t, t, t, f, f],
  ["''", "'a'", f, t, t, t, f, f],
  ["'\uffee'", "'😀'", f, t, t, t, f, f],
  ["true", "true", t, f, f, t, f, t],
  ["false", "true", f, t, t, t, f, f],
  ["null", "null", t, f, f, t, f, t],
  ["[1, 2]", "[1, 2]", t, f, u, u, u, u],
  ["[1, 2]", "[2, 1]", f, t, u, u, u, u],
  ["{'a': 1, 'b': [2]}", "{'b': [2], 'a': 1}", t, f, u, u, u, u],
  ["{'a': 1}", "{'a': 1, 'b': 2}", f, t, u, u, u, u],
  ["1", "'1'", f, t, u, u, u, u],
  ["1", "true", f, t, u, u, u, u],
  ["0", "false", f, t, u, u, u, u],
  ["0", "null", f, t, u, u, u, u],
  ["''", "null", f, t, u, u, u, u],
  ["false", "null", f, t, u, u, u, u],
  ["[]", "{}", f, t, u, u, u, u],
  ["[]", "null", f, t, u, u, u, u],
  ["'[]'", "[]", f, t, u, u, u, u],
  ["undefined", "1", u, u, u, u, u, u],
  ["undefined", "null", u, u, u, u, u, u],
  ["undefined", "undefined", u, u, u, u, u, u],
];
const operators = ["=", "!=", "<", "<=", ">", ">="];

/** Every way in which a comparison can meet its operands: all have their own translation. */
const forms: readonly [string, (left: string, right: string, operator: string) => string][] = [
  ["two constants", (left, right, operator) => `SELECT VALUE ${left} ${operator} ${right}`],
  ["two paths", (_left, _right, operator) => `SELECT VALUE c.l ${operator} c.r FROM c`],
];

function containerWith(left: string, right: string): TestContainer {
  const container = new TestContainer();
  const values = container.query(`SELECT ${left} AS left_, ${right} AS right_`)[0] as Record<
    string,
    JsonValue
  >;
  container.insert({
    ...("left_" in values && { l: values["left_"] }),
    ...("right_" in values && { r: values["right_"] }),
  });
  return container;
}

describe.each(cases)("%s and %s", (left, right, ...results) => {
  const container = containerWith(left, right);

  test.each(forms)("as the value of %s", (_, query) => {
    const values = operators.map((operator) => container.query(query(left, right, operator))[0]);
    expect(values).toEqual(results);
  });

  test.each([
    ["a path and a constant", "c.l", right],
    ["a constant and a path", left, "c.r"],
    ["two paths", "c.l", "c.r"],
    ["two constants", left, right],
  ])("as a condition on %s, and its negation", (_, first, second) => {
    const count = (condition: string): JsonValue | undefined =>
      container.query(`SELECT VALUE COUNT(1) FROM c WHERE ${condition}`)[0];
    const holds = operators.map((operator) => count(`${first} ${operator} ${second}`));
    const fails = operators.map((operator) => count(`NOT (${first} ${operator} ${second})`));
    expect(holds).toEqual(results.map((result) => Number(result === true)));
    expect(fails).toEqual(results.map((result) => Number(result === false)));
  });
});

describe("numbers are compared as doubles", () => {
  test.each([
    ["9007199254740993", 9007199254740992],
    ["18446744073709551615", 2 ** 64],
    ["-9223372036854775808", -(2 ** 63)],
    ["0.1", 0.1],
    ["1.7976931348623157e308", Number.MAX_VALUE],
    ["4.94065645841247e-324", 5e-324],
    ["123456789.123456789", 123456789.12345679],
    ["1e21", 1e21],
  ])("a stored %s equals its parameter", (stored, parameter) => {
    const container = new TestContainer();
    container.insert({ id: "a" }, `{"id":"a","n":${stored}}`);
    const ids = (condition: string): JsonValue[] =>
      container.query(`SELECT VALUE c.id FROM c WHERE ${condition}`, { "@p": parameter });
    expect(ids("c.n = @p")).toEqual(["a"]);
    expect(ids("c.n IN (@p, 'x')")).toEqual(["a"]);
    expect(ids("c.n != @p")).toEqual([]);
    expect(ids("c.n <= @p AND c.n >= @p AND c.n BETWEEN @p AND @p")).toEqual(["a"]);
    expect(ids("c.n < @p OR c.n > @p")).toEqual([]);
  });
});

describe("IN, BETWEEN and LIKE", () => {
  const container = new TestContainer([
    { id: "num", v: 5 },
    { id: "text", v: "abc" },
    { id: "null", v: null },
    { id: "true", v: true },
    { id: "list", v: [1] },
    { id: "none" },
  ]);
  const ids = (condition: string): JsonValue[] =>
    container.query(`SELECT VALUE c.id FROM c WHERE ${condition}`, { "@five": 5, "@list": [1] });

  test.each([
    ["c.v IN (5)", ["num"]],
    ["c.v IN (5, 'abc', null, true)", ["num", "text", "null", "true"]],
    ["c.v IN (@five, 6, 7)", ["num"]],
    ["c.v IN ([1], 5)", ["num", "list"]],
    ["c.v IN (@list)", ["list"]],
    ["c.v IN (c.v)", ["num", "text", "null", "true", "list"]],
    ["c.v IN (undefined, 5)", ["num"]],
    ["c.v NOT IN (5, 'abc')", ["null", "true", "list"]],
    ["NOT (c.v IN (5, 'abc'))", ["null", "true", "list"]],
    ["c.v NOT IN ([1])", ["num", "text", "null", "true"]],
    ["5 IN (c.v, 6)", ["num"]],
    ["c.v BETWEEN 1 AND 5", ["num"]],
    ["c.v BETWEEN 'a' AND 'b'", ["text"]],
    ["c.v BETWEEN 1 AND 'z'", []],
    ["c.v NOT BETWEEN 6 AND 'z'", ["num"]],
    ["c.v NOT BETWEEN 6 AND 10", ["num"]],
    ["c.v NOT BETWEEN 1 AND 10", []],
    ["c.v BETWEEN null AND null", ["null"]],
    ["5 BETWEEN c.v AND 10", ["num"]],
    ["c.v LIKE 'a%'", ["text"]],
    ["c.v LIKE '%c'", ["text"]],
    ["c.v LIKE 'a_c'", ["text"]],
    ["c.v LIKE 'ABC'", []],
    ["c.v NOT LIKE 'b%'", ["text"]],
    ["c.v LIKE 5", []],
  ])("%s", (condition, expected) => {
    expect(ids(condition)).toEqual(expected);
  });

  test.each([
    ["abc", "%", undefined, true],
    ["", "%", undefined, true],
    ["", "_", undefined, false],
    ["abc", "a%b%c", undefined, true],
    ["a%c", "a!%c", "!", true],
    ["abc", "a!%c", "!", false],
    ["a_c", "a\\_c", "\\", true],
    ["abc", "[a-c]b[^d]", undefined, true],
    ["xbc", "[a-c]bc", undefined, false],
    ["[", "[", undefined, true],
    ["😀x", "_x", undefined, true],
    ["a\nb", "a%b", undefined, true],
    ["mississippi", "%iss%ip%", undefined, true],
    ["a.c", "a.c", undefined, true],
    ["abc", "a.c", undefined, false],
  ])("%j LIKE %j with the escape %j", (text, pattern, escaping, matches) => {
    const suffix = escaping === undefined ? "" : ` ESCAPE ${JSON.stringify(escaping)}`;
    const [value] = container.query(`SELECT VALUE @text LIKE @pattern${suffix}`, {
      "@text": text,
      "@pattern": pattern,
    });
    expect(value).toBe(matches);
  });

  test("many wildcards take no longer than their number times the length", () => {
    const parameters = { "@text": "a".repeat(5000), "@pattern": `${"%a".repeat(500)}%b` };
    expect(container.query("SELECT VALUE @text LIKE @pattern", parameters)).toEqual([false]);
  });
});
