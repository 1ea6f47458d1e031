/** Numbers and text as the service echoes them; the recorded values are those of docs/reference/cosmos-protocol.md §1.5. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CosmosError } from "../../src/protocol/cosmos-error.ts";
import { parseDocument, parseJson, writeJson } from "../../src/protocol/json-text.ts";

function echoed(text: string): string {
  return writeJson(parseDocument(`{"n":${text}}`)).slice('{"n":'.length, -1);
}

describe("numbers", () => {
  it.each([
    ["9007199254740993", "9007199254740993"],
    ["18446744073709551615", "18446744073709551615"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["18446744073709551616", "1.8446744073709552e+019"],
    ["-9223372036854775809", "-9.2233720368547758e+018"],
    ["123456789012345678901234567890", "1.2345678901234568e+029"],
    ["0.1000000000000000055511151231257827", "0.1"],
    ["1.0", "1"],
    ["-0.0", "0"],
    ["1.7976931348623157e308", "1.7976931348623157e+308"],
    ["5e-324", "4.94065645841247e-324"],
    ["1e-400", "0"],
    ["12345678901234567890.123", "1.2345678901234567e+019"],
    ["1e3", "1000"],
    ["0.00001", "1e-005"],
    ["0.0001", "0.0001"],
    ["0.30000000000000004", "0.30000000000000004"],
    ["1762345678901", "1762345678901"],
    ["-17.25", "-17.25"],
  ])("%s is echoed as %s", (sent, answered) => {
    expect(echoed(sent)).toBe(answered);
  });

  it("are the same doubles after an echo", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(echoed(JSON.stringify(value)))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it("of 64 bits keep every digit", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
        expect(echoed(String(value))).toBe(String(value));
      }),
    );
  });

  it("beyond doubles are refused", () => {
    expect(() => echoed("1e400")).toThrow(CosmosError);
    expect(() => echoed("9".repeat(400))).toThrow(CosmosError);
  });

  it("are read wherever a value may stand", () => {
    const text = '{"a":[9007199254740993,[18446744073709551615]],"b":{"c":-9007199254740993}}';
    expect(writeJson(parseJson(text))).toBe(text);
    expect(writeJson(parseJson("9007199254740993"))).toBe("9007199254740993");
    expect(writeJson(parseJson('{ "a" : [ 1 , 9007199254740993 ] }'))).toBe('{"a":[1,9007199254740993]}');
  });

  it("inside strings are text", () => {
    const text = '{"a":"{\\"n\\":9007199254740993.0,\\"e\\":1e400}","b":":1e400"}';
    expect(writeJson(parseDocument(text))).toBe(text);
  });
});

describe("text", () => {
  it("replaces unpaired surrogates, in names too", () => {
    expect(parseDocument('{"a":"\\ud800x","\\udc00":["\\uD83D"]}')).toEqual({
      a: "\ufffdx",
      "\ufffd": ["\ufffd"],
    });
  });

  it("keeps pairs", () => {
    expect(parseDocument('{"a":"\\ud83d\\ude00"}')).toEqual({ a: "\u{1f600}" });
  });

  it("keeps a property that is named __proto__", () => {
    expect(writeJson(parseDocument('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });
});

describe("documents", () => {
  it.each(["", "{", "[1,2]", '"text"', "1", "null", "{'a':1}", '{"a":undefined}', "{}}"])(
    "refuses %j",
    (text) => {
      expect(() => parseDocument(text)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );

  it("may be 128 levels deep and no deeper", () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
    expect(() => parseDocument(nested(128))).not.toThrow();
    expect(() => parseDocument(nested(129))).toThrow(expect.objectContaining({ status: 400 }));
  });

  it("that are absurdly deep are refused without a crash", () => {
    for (const text of ["[".repeat(200_000) + "]".repeat(200_000), '{"a":'.repeat(200_000)]) {
      expect(() => parseJson(text)).toThrow(expect.objectContaining({ status: 400 }));
    }
  });

  it("come back as they went in", () => {
    const document = fc.dictionary(
      fc.string({ unit: "grapheme" }),
      fc.jsonValue({ maxDepth: 4, noUnicodeString: false }),
    );
    fc.assert(
      fc.property(document, (value) => {
        const normal = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(writeJson(parseDocument(JSON.stringify(value))))).toEqual(normal);
      }),
    );
  });
});
