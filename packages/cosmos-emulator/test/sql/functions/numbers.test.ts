import { describe, expect, test } from "vitest";
import { errorOf, evaluate, TestContainer } from "../support/container.ts";

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
    ["TRUNC(-1.9)", -1],
    ["SIGN(-3)", -1],
    ["SQRT(9)", 3],
    ["SQUARE(3)", 9],
    ["POWER(2, 10)", 1024],
    ["POWER(10, 400)", undefined],
    ["EXP(0)", 1],
    ["LOG(1)", 0],
    ["LOG(8, 2)", 3],
    ["LOG10(1000)", 3],
    ["LOG(0)", undefined],
    ["PI()", Math.PI],
    ["SIN(0)", 0],
    ["COS(0)", 1],
    ["TAN(0)", 0],
    ["COT(0)", undefined],
    ["ASIN(1)", Math.PI / 2],
    ["ACOS(1)", 0],
    ["ATAN(1)", Math.PI / 4],
    ["ATN2(1, 1)", Math.PI / 4],
    ["DEGREES(PI())", 180],
    ["RADIANS(180)", Math.PI],
    ["NumberBin(37.752, 10)", 30],
    ["NumberBin(37.752)", 37],
    ["NumberBin(-1, 10)", -10],
    ["NumberBin(37, 0)", undefined],
    ["RAND()", 0.25],
    ["ABS('1')", undefined],
    ["POWER(2, '1')", undefined],
    ["ROUND(1.5, 'x')", undefined],
    ["LOG(2, null)", undefined],
    ["IntAdd(20, 10)", 30],
    ["IntAdd(20, 0.1)", undefined],
    ["IntSub(1, 3)", -2],
    ["IntMul(-2, 3)", -6],
    ["IntDiv(7, -2)", -3],
    ["IntDiv(1, 0)", undefined],
    ["IntMod(-7, 3)", -1],
    ["IntMod(1, 0)", undefined],
    ["IntBitAnd(6, 3)", 2],
    ["IntBitOr(6, 3)", 7],
    ["IntBitXor(6, 3)", 5],
    ["IntBitNot(0)", -1],
    ["IntBitLeftShift(16, 4)", 256],
    ["IntBitLeftShift(16, 0.4)", undefined],
    ["IntBitRightShift(-16, 2)", -4],
    ["IntBitLeftShift(1, 64)", 1],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });

  test("64-bit results keep their digits and wrap around", () => {
    const rows = (expression: string): readonly string[] =>
      new TestContainer().page(`SELECT VALUE ${expression}`).rows;
    expect(rows("IntAdd(9007199254740991, 10)")).toEqual(["9007199254741001"]);
    expect(rows("IntMul(4611686018427387904, 2)")).toEqual(["-9223372036854775808"]);
    expect(rows("IntBitLeftShift(1, 62)")).toEqual(["4611686018427387904"]);
  });

  test.each([["SQRT(-1)"], ["ASIN(2)"], ["ACOS(2)"], ["LOG(-1)"], ["POWER(-1, 0.5)"], ["LOG10(-1)"]])(
    "%s fails the query as a division by zero does",
    (expression) => {
      expect(errorOf(() => evaluate(expression))).toMatchObject({ status: 400, substatus: 4001 });
    },
  );
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
