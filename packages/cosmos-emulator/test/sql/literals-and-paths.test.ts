import { describe, expect, test } from "vitest";
import { evaluate, queryErrorOf, TestContainer } from "./support/container.ts";

describe("literals", () => {
  test.each([
    ["1", 1],
    ["-1.5e3", -1500],
    [".5", 0.5],
    ["0xFF", 255],
    ["9007199254740992", 9007199254740992],
    ["'single'", "single"],
    ['"double"', "double"],
    [`'it\\'s "quoted"'`, `it's "quoted"`],
    [`"it's \\"quoted\\""`, `it's "quoted"`],
    ["'\\u00e9\\n\\t\\\\\\/'", "é\n\t\\/"],
    ["'\\ud83d\\ude00'", "😀"],
    ["'😀'", "😀"],
    ["true", true],
    ["FALSE", false],
    ["Null", null],
    ["undefined", undefined],
    ["[1, 'a', [null]]", [1, "a", [null]]],
    ["[]", []],
    ["[undefined, 1]", [null, 1]],
    ["{'a': 1, \"b\": {c: 2}}", { a: 1, b: { c: 2 } }],
    ["{}", {}],
    ["{'a': undefined}", {}],
    ["{'a': 1, 'a': 2}", { a: 2 }],
    ["{'__proto__': 1, 'constructor': 2}", JSON.parse('{"__proto__": 1, "constructor": 2}')],
  ])("%s", (literal, value) => {
    expect(evaluate(literal)).toEqual(value);
  });

  test("a surrogate without its pair is replaced, as in stored documents", () => {
    expect(evaluate("'\\ud83d'")).toBe("\ufffd");
  });

  test("keywords are taken in any case, and comments are blanks", () => {
    const container = new TestContainer([{ id: "a", n: 1 }]);
    expect(
      container.query("sElEcT vAlUe c.id -- of it\n fRoM c wHeRe c.n In (1) aNd nOt FaLsE oRdEr By c.n DeSc"),
    ).toEqual(["a"]);
  });
});

describe("parameters", () => {
  test.each([[1], ["a"], [true], [null], [[1, { b: 2 }]], [{ a: [1] }]])("%j is what it was", (value) => {
    expect(evaluate("@p", { "@p": value })).toEqual(value);
  });

  test("one that was not passed is undefined", () => {
    expect(evaluate("@missing")).toBeUndefined();
    expect(new TestContainer([{ id: "a" }]).query("SELECT VALUE c.id FROM c WHERE c.id = @missing")).toEqual(
      [],
    );
  });

  test("they are bound: no text of theirs is SQL", () => {
    const container = new TestContainer([{ id: "a" }]);
    const hostile = "'; DROP TABLE docs; --";
    expect(
      container.query("SELECT VALUE c.id FROM c WHERE c.id = @p OR c.id = 'a'", { "@p": hostile }),
    ).toEqual(["a"]);
    expect(container.query("SELECT VALUE @p FROM c", { "@p": hostile })).toEqual([hostile]);
    expect(container.query(`SELECT VALUE c.id FROM c WHERE c.id != "${hostile}"`)).toEqual(["a"]);
  });
});

describe("paths", () => {
  const document = { id: "a", o: { p: [10, { q: "deep" }], "0": "name" }, list: ["x", "y"] };

  test.each([
    ["c.o.p[0]", 10],
    ["c.o.p[1].q", "deep"],
    ['c["o"]["p"][1]["q"]', "deep"],
    ["c.o.p[2]", undefined],
    ["c.o.p.q", undefined],
    ["c.o['0']", "name"],
    ["c.o[0]", undefined],
    ["c.list['0']", undefined],
    ["c.list[1]", "y"],
    ["c.list[-1]", undefined],
    ["c.list[0.5]", undefined],
    ["c.list[1e300]", undefined],
    ["c.list[@i]", "y"],
    ["c[@name][0]", "x"],
    ["c.list[c.o.p[0] - 10]", "x"],
    ["c.list[true]", undefined],
    ["c.id.length", undefined],
    ["c.nope.nope.nope", undefined],
    ["[1, 2, 3][1]", 2],
    ["{'a': {'b': 5}}.a.b", 5],
    ["c.__proto__", undefined],
    ["{}.constructor", undefined],
  ])("%s", (path, value) => {
    const container = new TestContainer([document]);
    const [found] = container.query(`SELECT VALUE ${path} FROM c`, { "@i": 1, "@name": "list" });
    expect(found).toEqual(value);
  });

  test.each([
    ["a'b"],
    ['a"b'],
    ["a\\b"],
    ["a.b"],
    ["a[0]"],
    ["$"],
    ["$.a"],
    ["#-1"],
    [" "],
    [""],
    ["a b"],
    ["ключ"],
    ["😀"],
    ["a\u0001b"],
    ["a\nb"],
    ["a\u0000b"],
    ["a\u007fb"],
    ["order"],
    ["'; DROP TABLE docs; --"],
    ["*/"],
    ["?"],
    ["?1"],
    ["@p"],
  ])("a property named %j is read, filtered and sorted by", (name) => {
    const container = new TestContainer([
      { id: "1", [name]: "b", nested: { [name]: 7 } },
      { id: "2", [name]: "a", nested: { [name]: null } },
      { id: "3" },
    ]);
    const path = `c[${JSON.stringify(name)}]`;
    expect(container.query(`SELECT VALUE ${path} FROM c`)).toEqual(["b", "a"]);
    expect(container.query(`SELECT VALUE c.id FROM c WHERE ${path} = 'b'`)).toEqual(["1"]);
    expect(container.query(`SELECT VALUE c.id FROM c WHERE ${path} IN ('a', 'x')`)).toEqual(["2"]);
    expect(container.query(`SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(${path})`)).toEqual(["3"]);
    expect(container.query(`SELECT VALUE c.id FROM c WHERE c.nested[${JSON.stringify(name)}] > 6`)).toEqual([
      "1",
    ]);
    expect(container.pages(`SELECT VALUE c.id FROM c ORDER BY ${path}`, {}, { maxItems: 1 })).toEqual([
      ["2"],
      ["1"],
    ]);
    const [row] = container.query(`SELECT ${path} FROM c WHERE c.id = '1'`);
    expect(row).toEqual({ [name]: "b" });
    expect(container.query(`SELECT VALUE ${path} FROM c GROUP BY ${path}`)).toEqual(["b", "a"]);
  });

  test("a hostile name is refused where it has no quotes", () => {
    expect(queryErrorOf(() => evaluate("c.a'b")).code).toBe("SC1001");
  });
});
