/** Text in, text out. */
import { describe, expect, it } from "vitest";
import { rawCodec } from "../../src/index.ts";

describe("the raw codec", () => {
  it.each(["", "5", '"x"', "null", " any text 🌍\n"])("keeps text as it is: %j", (text) => {
    expect(rawCodec.encode(text)).toBe(text);
    expect(rawCodec.decode(text)).toBe(text);
  });

  it.each([undefined, null, 5, true, {}, ["x"]])("refuses %s, which is not text", (value) => {
    expect(() => rawCodec.encode(value)).toThrow(
      expect.objectContaining({
        name: "PayloadError",
        codec: "raw",
        message: expect.stringContaining("strings only"),
      }),
    );
  });
});
