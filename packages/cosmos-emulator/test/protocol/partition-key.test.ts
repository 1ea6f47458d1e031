import { describe, expect, it } from "vitest";
import { parseDocument } from "../../src/protocol/json-text.ts";
import {
  parsePartitionKeyHeader,
  partitionKeyOf,
  partitionKeyText,
} from "../../src/protocol/partition-key.ts";
import { parsePropertyPath } from "../../src/protocol/property-path.ts";

describe("the header", () => {
  it.each([
    ['["a"]', ["a"]],
    ["[1]", [1]],
    ["[true]", [true]],
    ["[null]", [null]],
    ["[{}]", [undefined]],
    ["[]", []],
    ['["t1", 2, {}]', ["t1", 2, undefined]],
    ['["\\u00e9"]', ["é"]],
    ["[9007199254740993]", [9007199254740992]],
    ["[-0]", [0]],
  ])("%s names %j", (header, key) => {
    expect(parsePartitionKeyHeader(header)).toEqual(key);
  });

  it.each(["", "a", '"a"', "{}", '["a"', "[[1]]", '[{"a":1}]', "undefined"])("%j is refused", (header) => {
    expect(() => parsePartitionKeyHeader(header)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

describe("the key of a document", () => {
  const keyOf = (text: string, ...paths: string[]) =>
    partitionKeyOf(parseDocument(text), paths.map(parsePropertyPath));

  it("is found by its path", () => {
    expect(keyOf('{"pk":"a"}', "/pk")).toEqual(["a"]);
    expect(keyOf('{"a":{"b":{"c":null}}}', "/a/b/c")).toEqual([null]);
    expect(keyOf('{"a/b":{"it\'s":1}}', '/"a/b"/"it\'s"')).toEqual([1]);
    expect(keyOf('{"a":1,"b":true,"c":"x"}', "/a", "/b", "/c")).toEqual([1, true, "x"]);
  });

  it("is undefined where any part of the path is absent", () => {
    expect(keyOf('{"a":1}', "/a/b")).toEqual([undefined]);
    expect(keyOf('{"a":[{"b":1}]}', "/a/0")).toEqual([undefined]);
    expect(keyOf("{}", "/toString")).toEqual([undefined]);
  });

  it("must not be a list or an object", () => {
    expect(() => keyOf('{"pk":[1]}', "/pk")).toThrow(expect.objectContaining({ status: 400 }));
    expect(() => keyOf('{"pk":{"a":1}}', "/pk")).toThrow(expect.objectContaining({ status: 400 }));
  });

  it("is a double, however many digits it is written with", () => {
    expect(keyOf('{"pk":9007199254740993}', "/pk")).toEqual([9007199254740992]);
  });
});

describe("the text of a key", () => {
  it("tells values of all types apart", () => {
    const keys = [
      ["a"],
      ["1"],
      [1],
      [true],
      ["true"],
      [null],
      ["null"],
      [undefined],
      [""],
      ["{}"],
      ["a", "b"],
    ];
    expect(new Set(keys.map(partitionKeyText)).size).toBe(keys.length);
    expect(partitionKeyText([undefined])).toBe("[{}]");
  });
});

describe("paths", () => {
  it.each([
    ["/a", ["a"]],
    ["/a/b", ["a", "b"]],
    ['/"a b"/c', ["a b", "c"]],
    ["/'a\"b'", ['a"b']],
    ['/"a\\"b/c"', ['a"b/c']],
  ])("%s has the names %j", (path, names) => {
    expect(parsePropertyPath(path)).toEqual(names);
  });

  it.each(["", "a", "/", "//", "/a/", '/"a', '/"a"b'])("%j is refused", (path) => {
    expect(() => parsePropertyPath(path)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
