import { describe, expect, test } from "vitest";
import { evaluate, TestContainer } from "../support/container.ts";

describe("functions of arrays and objects", () => {
  test.each([
    ["ARRAY_CONCAT([1], [2], [3])", [1, 2, 3]],
    ["ARRAY_CONCAT([1], 2)", undefined],
    ["ARRAY_CONTAINS([1, 'a'], 'a')", true],
    ["ARRAY_CONTAINS([1, 'a'], 'b')", false],
    ["ARRAY_CONTAINS([[1]], [1])", true],
    ["ARRAY_CONTAINS([{'a': 1, 'b': 2}], {'a': 1})", false],
    ["ARRAY_CONTAINS([{'a': 1, 'b': 2}], {'a': 1}, true)", true],
    ["ARRAY_CONTAINS([{'a': 1, 'b': 2}], {'a': 2}, true)", false],
    ["ARRAY_CONTAINS([1], 1, true)", true],
    ["ARRAY_CONTAINS([1], undefined)", undefined],
    ["ARRAY_CONTAINS('a', 'a')", undefined],
    ["ARRAY_CONTAINS_ANY([1, 2], 3, 2)", true],
    ["ARRAY_CONTAINS_ANY([1, 2], 3, 4)", false],
    ["ARRAY_CONTAINS_ALL([1, 2], 1, 2)", true],
    ["ARRAY_CONTAINS_ALL([1, 2], 1, 3)", false],
    ["ARRAY_CONTAINS_ALL(1, 1)", undefined],
    ["ARRAY_LENGTH([1, 2])", 2],
    ["ARRAY_LENGTH('ab')", undefined],
    ["ARRAY_SLICE([1, 2, 3], 1)", [2, 3]],
    ["ARRAY_SLICE([1, 2, 3], 1, 1)", [2]],
    ["ARRAY_SLICE([1, 2, 3], -2)", [2, 3]],
    ["ARRAY_SLICE([1, 2, 3], -9, 1)", [1]],
    ["ARRAY_SLICE([1, 2, 3], 0, -1)", []],
    ["ARRAY_SLICE([1, 2, 3], 9)", []],
    ["ARRAY_SLICE([1, 2, 3], 0.5)", undefined],
    ["SetIntersect([1, 2, 2, 3], [2, 3, 4])", [2, 3]],
    ["SetUnion([1, 2, 2], [2, 3])", [1, 2, 3]],
    ["SetUnion([{'a': 1, 'b': 2}], [{'b': 2, 'a': 1}])", [{ a: 1, b: 2 }]],
    ["SetDifference([1, 2, 3], [2])", [1, 3]],
    ["SetUnion([1], 2)", undefined],
    ["CHOOSE(1, 'a', 'b')", "a"],
    ["CHOOSE(2, 'a', 'b')", "b"],
    ["CHOOSE(0, 'a', 'b')", undefined],
    ["CHOOSE(3, 'a', 'b')", undefined],
    ["CHOOSE('1', 'a', 'b')", undefined],
    [
      "ObjectToArray({'a': 1, 'b': [2]})",
      [
        { k: "a", v: 1 },
        { k: "b", v: [2] },
      ],
    ],
    ["ObjectToArray({'a': 1}, 'name', 'value')", [{ name: "a", value: 1 }]],
    ["ObjectToArray([1])", undefined],
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
