/** Rust's typed encoding: docs/reference/wire-format.md §1. Floats and their limits as serde_json 1.0.154 prints them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rustTypedCodec } from "../../src/index.ts";

describe("Rust's typed encoding", () => {
  it.each([
    ["a string raw", "Hello", "Hello"],
    ["a string that looks like a number raw", "5", "5"],
    ["an empty string as nothing", "", ""],
    ["a string inside an array with quotes", ["a"], '["a"]'],
    ["nothing as null", undefined, "null"],
    ["null", null, "null"],
    ["true", true, "true"],
    [
      "sorted keys at every level",
      { b: { d: 1, c: 2 }, a: [{ z: 1, y: 2 }] },
      '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}',
    ],
    ["nothing in an object not at all", { b: 1, a: undefined }, '{"b":1}'],
    ["nothing in an array as null", [undefined], "[null]"],
    ["a date as its text", [new Date(0)], '["1970-01-01T00:00:00.000Z"]'],
    ["boxed values as what they hold", [Object(1), Object("x"), Object(true)], '[1,"x",true]'],
  ])("writes %s", (_what, value, text) => {
    expect(rustTypedCodec.encode(value)).toBe(text);
  });

  it("sorts keys by code point, as Rust's bytes do, not by UTF-16 unit", () => {
    const keys = ["🌍", "\ufb01", "a", "\ud7ff", "\ue000", "aa", "𐀀"];
    const text = rustTypedCodec.encode(Object.fromEntries(keys.map((key) => [key, 1])));
    const bytewise = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(Object.keys(JSON.parse(text) as object)).toEqual(bytewise);
  });

  it("sorts any keys as their bytes sort", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" }), { maxLength: 6 }), (keys) => {
        const prefixed = [...new Set(keys)].map((key) => `k${key}`);
        const text = rustTypedCodec.encode(Object.fromEntries(prefixed.map((key) => [key, 1])));
        const bytewise = prefixed.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(Object.keys(JSON.parse(text) as object)).toEqual(bytewise);
      }),
    );
  });

  it.each([
    [0, "0"],
    [7, "7"],
    [-7, "-7"],
    [7.5, "7.5"],
    [-0, "-0.0"],
    [0.1, "0.1"],
    [123456.789, "123456.789"],
    [1e-5, "0.00001"],
    [1.5e-5, "0.000015"],
    [1e-6, "1e-6"],
    [1.25e-7, "1.25e-7"],
    [2 ** 53, "9007199254740992"],
    [2 ** 63, "9223372036854775808"],
    [2 ** 64, "1.8446744073709552e+19"],
    [-(2 ** 63), "-9223372036854775808"],
    [-1e19, "-1e+19"],
    [1e21, "1e+21"],
    [5e-324, "5e-324"],
  ])("writes the number %s as %s", (value, text) => {
    expect(rustTypedCodec.encode(value)).toBe(text);
    expect(rustTypedCodec.encode([value])).toBe(`[${text}]`);
    expect(rustTypedCodec.decode(text)).toBe(value);
  });

  it("writes any number so that it reads as the same number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(rustTypedCodec.decode(rustTypedCodec.encode(value))).toBe(value);
      }),
    );
  });

  it("writes any JSON so that it reads as the same value, unless it is a string", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (value) => {
        expect(rustTypedCodec.decode(rustTypedCodec.encode(value))).toEqual(value);
      }),
    );
  });

  it.each([
    ["Hello", "Hello"],
    ["5", 5],
    ['"quoted"', "quoted"],
    ["null", null],
    ["{broken", "{broken"],
  ])("reads %s as JSON where it is JSON, else as text", (text, value) => {
    expect(rustTypedCodec.decode(text)).toEqual(value);
  });

  it.each(["a\ud800", ["\udc00"], { "k\ud800": 1 }])(
    "refuses lone surrogates, which Rust has not: %j",
    (value) => {
      expect(() => rustTypedCodec.encode(value)).toThrow(
        expect.objectContaining({ name: "PayloadError", message: expect.stringContaining("toWellFormed") }),
      );
    },
  );

  it.each([Number.NaN, new Map(), () => 1, 5n, [Number.POSITIVE_INFINITY]])(
    "refuses what JSON cannot express: %s",
    (value) => {
      expect(() => rustTypedCodec.encode(value)).toThrow(
        expect.objectContaining({ name: "PayloadError", codec: "rust-typed" }),
      );
    },
  );
});
