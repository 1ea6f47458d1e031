import { describe, expect, test } from "vitest";
import { errorOf, evaluate, nowMs, TestContainer } from "./support/container.ts";

describe("functions of arrays and objects", () => {
  test.each([
    ["ARRAY_CONTAINS([1, 'a'], 'a')", true],
    ["ARRAY_CONTAINS([1, 'a'], 'b')", false],
    ["ARRAY_CONTAINS([[1]], [1])", true],
    ["ARRAY_CONTAINS([{'a': 1, 'b': 2}], {'a': 1})", false],
    ["ARRAY_CONTAINS([{'a': 1, 'b': 2}], {'a': 1}, true)", true],
    ["ARRAY_CONTAINS([{'a': 1, 'b': 2}], {'a': 2}, true)", false],
    ["ARRAY_CONTAINS([1], 1, true)", true],
    ["ARRAY_CONTAINS([1], undefined)", undefined],
    ["ARRAY_CONTAINS('a', 'a')", undefined],
    ["ARRAY_LENGTH([1, 2])", 2],
    ["ARRAY_LENGTH('ab')", undefined],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });

  test("they read documents", () => {
    const container = new TestContainer([
      { id: "a", tags: ["x", "y"], items: [{ k: 1, z: 2 }] },
      { id: "b", tags: "x" },
    ]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(c.tags, 'x')")).toEqual(["a"]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(['a', 'q'], c.id)")).toEqual(["a"]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(c.items, {'k': 1}, true)")).toEqual(
      ["a"],
    );
    expect(container.query("SELECT VALUE c.id FROM c WHERE NOT ARRAY_CONTAINS(c.tags, 'z')")).toEqual(["a"]);
    expect(
      container.query("SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(@ids, c.id)", { "@ids": ["b"] }),
    ).toEqual(["b"]);
  });
});

describe("string functions", () => {
  test.each([
    ["CONCAT('a', 'b', 'c')", "abc"],
    ["CONCAT('a', 1)", undefined],
    ["CONTAINS('abc', 'b')", true],
    ["CONTAINS('abc', 'B')", false],
    ["CONTAINS('abc', 'B', true)", true],
    ["CONTAINS('abc', 'B', false)", false],
    ["CONTAINS('abc', '')", true],
    ["CONTAINS(1, '1')", undefined],
    ["STARTSWITH('abc', 'ab')", true],
    ["STARTSWITH('abc', 'AB', true)", true],
    ["STARTSWITH('abc', 'bc')", false],
    ["ENDSWITH('abc', 'bc')", true],
    ["ENDSWITH('abc', 'BC', true)", true],
    ["STRINGEQUALS('abc', 'ABC')", false],
    ["StringEquals('abc', 'ABC', true)", true],
    ["STRINGEQUALS('abc', 1)", undefined],
    ["INDEX_OF('banana', 'an')", 1],
    ["INDEX_OF('banana', 'an', 2)", 3],
    ["INDEX_OF('banana', 'x')", -1],
    ["INDEX_OF('banana', 1)", undefined],
    ["LENGTH('abc')", 3],
    ["LENGTH('')", 0],
    ["LENGTH(null)", undefined],
    ["LEFT('abc', 2)", "ab"],
    ["LEFT('abc', 9)", "abc"],
    ["LEFT('abc', -1)", ""],
    ["LEFT('abc', 'x')", undefined],
    ["RIGHT('abc', 2)", "bc"],
    ["RIGHT('abc', 9)", "abc"],
    ["RIGHT('abc', 0)", ""],
    ["RIGHT(1, 1)", undefined],
    ["SUBSTRING('abcdef', 1, 3)", "bcd"],
    ["SUBSTRING('abc', 1, 9)", "bc"],
    ["SUBSTRING('abc', -1, 2)", "ab"],
    ["SUBSTRING('abc', 9, 2)", ""],
    ["SUBSTRING('abc', 0)", "SC2050"],
    ["LOWER('AbÉ')", "abé"],
    ["UPPER('abé')", "ABÉ"],
    ["UPPER(1)", undefined],
    ["TRIM(' \\t a \\n')", "a"],
    ["TRIM(1)", undefined],
    ["REPLACE('banana', 'an', 'AN')", "bANANa"],
    ["REPLACE('a.c', '.', '$&')", "a$&c"],
    ["REPLACE('abc', '', 'x')", undefined],
  ])("%s", (expression, value) => {
    if (value === "SC2050") {
      expect(errorOf(() => evaluate(expression)).message).toContain(value);
    } else {
      expect(evaluate(expression)).toEqual(value);
    }
  });
});

describe("conversions", () => {
  test.each([
    ["ToString('a')", "a"],
    ["ToString(1.5)", "1.5"],
    ["ToString(true)", "true"],
    ["ToString(null)", "null"],
    ["ToString(undefined)", undefined],
    ["ToString([1, {'a': 'b'}])", '[1,{"a":"b"}]'],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });
});

describe("functions of numbers", () => {
  test.each([
    ["ABS(-1.5)", 1.5],
    ["CEILING(1.2)", 2],
    ["FLOOR(-1.2)", -2],
    ["ROUND(2.4)", 2],
    ["ROUND(2.5)", 3],
    ["ROUND(-2.5)", -3],
    ["ROUND(1.2345, 2)", 1.23],
    ["ROUND(1e300, 2)", 1e300],
    ["ABS('1')", undefined],
    ["ROUND(1.5, 'x')", undefined],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });
});

describe("type checks", () => {
  const names = [
    "DEFINED",
    "NULL",
    "BOOL",
    "NUMBER",
    "INTEGER",
    "FINITE_NUMBER",
    "STRING",
    "ARRAY",
    "OBJECT",
    "PRIMITIVE",
  ];

  test.each([
    ["undefined", []],
    ["null", ["DEFINED", "NULL", "PRIMITIVE"]],
    ["true", ["DEFINED", "BOOL", "PRIMITIVE"]],
    ["false", ["DEFINED", "BOOL", "PRIMITIVE"]],
    ["1", ["DEFINED", "NUMBER", "INTEGER", "FINITE_NUMBER", "PRIMITIVE"]],
    ["1.5", ["DEFINED", "NUMBER", "FINITE_NUMBER", "PRIMITIVE"]],
    ["''", ["DEFINED", "STRING", "PRIMITIVE"]],
    ["[]", ["DEFINED", "ARRAY"]],
    ["{}", ["DEFINED", "OBJECT"]],
  ])("%s", (literal, holding) => {
    const container = new TestContainer();
    const [value] = container.query(`SELECT ${literal} AS v`);
    container.insert({ id: "a", ...(value as object) });
    for (const name of names) {
      const expected = holding.includes(name);
      expect(evaluate(`IS_${name}(${literal})`)).toBe(expected);
      expect(container.query(`SELECT VALUE IS_${name}(c.v) FROM c`)).toEqual([expected]);
      expect(container.query(`SELECT VALUE c.id FROM c WHERE IS_${name}(c.v)`)).toEqual(
        expected ? ["a"] : [],
      );
      expect(container.query(`SELECT VALUE c.id FROM c WHERE NOT IS_${name}(c.v)`)).toEqual(
        expected ? [] : ["a"],
      );
    }
  });
});

describe("the current time is that of the endpoint's clock", () => {
  test("in all forms", () => {
    const time = new Date(nowMs).toISOString();
    expect(evaluate("GetCurrentTimestamp()")).toBe(nowMs);
    expect(evaluate("GetCurrentTimestampStatic()")).toBe(nowMs);
    expect(evaluate("GetCurrentDateTime()")).toBe(time.replace("Z", "0000Z"));
    expect(evaluate("GetCurrentDateTimeStatic()")).toBe(time.replace("Z", "0000Z"));
  });

  /** docs/reference/cosmos-protocol.md §4. */
  test("it is read again for each row, the static form once", () => {
    const container = new TestContainer([{ id: "a" }, { id: "b" }]);
    const clock = container;
    let reads = 0;
    Object.defineProperty(clock, "clockMs", { get: () => nowMs + reads++ });
    expect(container.query("SELECT VALUE GetCurrentTimestamp() FROM c")).toEqual([nowMs, nowMs + 1]);
    expect(container.query("SELECT VALUE GetCurrentTimestampStatic() FROM c")).toEqual([
      nowMs + 2,
      nowMs + 2,
    ]);
  });

  test("documents are filtered by it", () => {
    const container = new TestContainer([
      { id: "past", t: nowMs - 1 },
      { id: "future", t: nowMs + 1 },
    ]);
    expect(container.query("SELECT VALUE c.id FROM c WHERE c.t <= GetCurrentTimestamp()")).toEqual(["past"]);
  });
});

test.each(["RegexMatch('a', 'b')", "DateTimeAdd('yyyy', 1, 'x')", "IntAdd(1, 2)", "SQRT(9)", "Rand()"])(
  "%s is refused by name",
  (expression) => {
    const { status, message } = errorOf(() => evaluate(expression));
    expect(status).toBe(400);
    expect(message).toContain(`The function ${expression.split("(")[0]} is not supported by this endpoint.`);
  },
);
