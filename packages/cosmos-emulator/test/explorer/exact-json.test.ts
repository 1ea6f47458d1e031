import { describe, expect, it } from "vitest";
import { parseExact, pretty } from "../../src/explorer/page/exact-json.ts";

describe("the explorer's JSON", () => {
  it.each([
    "9007199254740993",
    "18446744073709551615",
    "1.8446744073709552e+019",
    "0.1",
    "-0.5",
    "1e+21",
    "12345678901234567890.5",
  ])("keeps the digits of %s", (number) => {
    expect(pretty(parseExact(`{"n":[${number}]}`))).toBe(`{\n  "n": [\n    ${number}\n  ]\n}`);
  });

  it("reads ordinary numbers as numbers", () => {
    expect(parseExact('{"a":1,"b":[-2.5]}')).toEqual({ a: 1, b: [-2.5] });
  });
});
