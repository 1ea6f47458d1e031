/** JSON with numbers that JavaScript cannot hold (src/wire/exact-json.ts, src/payload/json-text.ts). */
import { describe, expect, it } from "vitest";
import { JsonText, jsonCodec } from "../../src/index.ts";
import { exactJson, lossOf } from "../../src/stores/index.ts";

describe("a JsonText", () => {
  it.each(["3544790567247868102", '{ "a" : 1, "a" : 2 }', "-0", '[1e400, "\\ud800"]'])(
    "is stored as it is written: %s",
    (text) => void expect(jsonCodec.encode(new JsonText(` ${text}\n`))).toBe(text),
  );

  it("has lone surrogates as escapes, which stores keep", () => {
    expect(new JsonText('"a\ud800b 😀"').text).toBe('"a\\ud800b 😀"');
  });

  it.each(["", "{", "order", '{"a":1}}'])("refuses what is no JSON: %s", (text) => {
    expect(() => new JsonText(text)).toThrow(SyntaxError);
  });
});

it.each(["[3544790567247868102,-0,1e400,1.50]", '{"__proto__":{"a":[1E5]}}', '{"a:b":"c:\\"d\\":"}'])(
  "exactJson keeps every number of %s",
  (text) => expect(JSON.stringify(exactJson(text))).toBe(text),
);

it("exactJson keeps the text where a name occurs twice", () => {
  expect(exactJson('[{"a":1,"a":2}]')).toBe('[{"a":1,"a":2}]');
});

describe("what a value loses", () => {
  it.each(["1", "1.0", "1E5", "100000", "0.10", "-5e-7", "1e21", '{"a":{"a":1}}', "9007199254740992", "0"])(
    "of %s: nothing",
    (text) => expect(lossOf(text)).toBeUndefined(),
  );

  it.each([
    "9007199254740993",
    "-0",
    "1e400",
    "0.1000000000000000055511151231257827",
    '{"a":1,"a":1}',
    "1e-400",
  ])("of %s: something", (text) => expect(lossOf(text)).toMatch(/would become|twice/));
});
