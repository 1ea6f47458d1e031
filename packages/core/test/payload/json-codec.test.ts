/** The default codec is plain JSON, and nothing turns into `null` or `{}` in silence. */
import { describe, expect, it } from "vitest";
import { jsonCodec, PayloadError } from "../../src/index.ts";

const cyclic: { self?: unknown } = {};
cyclic.self = { items: [cyclic] };

class Money {
  readonly amount = 5;
  readonly currency = "EUR";
}

describe("the JSON codec", () => {
  it.each([
    ["a string with its quotes", "5", '"5"'],
    ["a number", 5, "5"],
    ["a float", 7.5, "7.5"],
    ["null", null, "null"],
    ["nothing as null", undefined, "null"],
    ["an object in its own order", { b: 1, a: [true, "x"] }, '{"b":1,"a":[true,"x"]}'],
    ["nothing in an array as null", [undefined, 1], "[null,1]"],
    ["a hole in an array as null", new Array(2), "[null,null]"],
    ["nothing in an object not at all", { a: undefined, b: 1 }, '{"b":1}'],
    ["a date as its text", { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ["the fields of a class", new Money(), '{"amount":5,"currency":"EUR"}'],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ["the same object twice", ((one) => [one, one])({ a: 1 }), '[{"a":1},{"a":1}]'],
    ["minus zero as zero", -0, "0"],
    ["what toJSON returns, if it is nothing", { toJSON: () => undefined }, "null"],
  ])("writes %s", (_what, value, text) => {
    expect(jsonCodec.encode(value)).toBe(text);
  });

  it.each([
    ['"5"', "5"],
    ["5", 5],
    ["null", null],
    ["true", true],
    ["false", false],
    ["-1.5", -1.5],
    ["\n[]", []],
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    [" [1] ", [1]],
  ])("reads %s", (text, value) => {
    expect(jsonCodec.decode(text)).toEqual(value);
  });

  it.each([
    "",
    "Hello, World!",
    "5 apples",
    "{not json",
    "[",
    '"half',
    "-",
    "nullable",
    "true story",
    "\u{1f30d}",
    " ",
  ])("reads text that is not JSON as itself: %j", (text) => {
    expect(jsonCodec.decode(text)).toBe(text);
  });

  it("gives back a key that has the name of something in JavaScript, as data", () => {
    const value = jsonCodec.decode('{"__proto__":{"admin":true}}') as { admin?: boolean };
    expect(value.admin).toBeUndefined();
    expect(Object.keys(value)).toEqual(["__proto__"]);
  });
});

describe("the JSON codec refuses", () => {
  it.each([
    ["a function", () => 1, "", "function"],
    ["a date that is none", { at: new Date("typo") }, "at", "is an invalid Date"],
    ["a symbol", Symbol("s"), "", "symbol"],
    ["a bigint", 5n, "", "bigint"],
    ["NaN", { items: [{ price: Number.NaN }] }, "items[0].price", "NaN"],
    ["an infinity", [1, Number.NEGATIVE_INFINITY], "[1]", "-Infinity"],
    ["a method", { run() {} }, "run", "function"],
    ["an async generator", { rows: (async function* () {})() }, "rows", "an array of what it yields"],
    ["a generator", { rows: (function* () {})() }, "rows", "an array of what it yields"],
    ["a Map", { "by id": new Map() }, '["by id"]', "Object.fromEntries"],
    ["a Set", [[new Set([1])]], "[0][0]", "array"],
    ["a promise that was not awaited", { total: Promise.resolve(1) }, "total", "await"],
    ["an error", { reason: new TypeError("x") }, "reason", "message"],
    ["a regular expression", /x/, "", "source"],
    ["bytes", { data: new Uint8Array(2) }, "data", "base64"],
    ["a buffer of bytes", new ArrayBuffer(2), "", "base64"],
    ["a cycle", cyclic, "self.items[0]", "cycles"],
    ["what toJSON returns, if it is no data", { at: { toJSON: () => Number.NaN } }, "at", "NaN"],
  ])("%s, and says where and what to do", (_what, value, path, hint) => {
    expect(() => jsonCodec.encode(value)).toThrow(
      expect.objectContaining({
        name: "PayloadError",
        codec: "json",
        path,
        message: expect.stringContaining(hint),
      }),
    );
  });

  it("a value whose getter throws, with the error as its cause", () => {
    const cause = new Error("no connection");
    const value = {
      get lazy(): string {
        throw cause;
      },
    };
    expect(() => jsonCodec.encode(value)).toThrow(expect.objectContaining({ name: "PayloadError", cause }));
  });

  it("a value that is nested beyond the stack", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    expect(() => jsonCodec.encode(deep)).toThrow(expect.objectContaining({ name: "PayloadError" }));
  });
});

describe("a PayloadError", () => {
  it("is recognised by its name, not by its class", () => {
    expect(
      PayloadError.is(Object.assign(new Error("other copy"), { name: "PayloadError", codec: "x" })),
    ).toBe(true);
    expect(PayloadError.is(new Error("no"))).toBe(false);
  });
});
