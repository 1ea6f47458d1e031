/** The building blocks where the wire format itself does not use all that they can do. */
import { describe, expect, it } from "vitest";
import { blocks } from "../../src/stores/index.ts";

interface Note {
  readonly title?: string;
  readonly count?: number;
  readonly _etag?: string;
}

const note = blocks.struct<Note>({
  title: blocks.optional(blocks.text),
  count: blocks.optional(blocks.integer(1, 9)),
  _etag: blocks.neverWritten(blocks.text),
});

describe("a struct", () => {
  it("may have nothing in it", () => {
    expect(note.read({})).toEqual({});
    expect(note.write({})).toBe("{}");
  });

  it("may have nothing in it but unknown fields", () => {
    expect(note.write({ other: 1, more: [] } as Note)).toBe('{"other":1,"more":[]}');
  });

  it("takes a field of undefined for a missing one", () => {
    expect(note.write({ title: "t", count: undefined, other: undefined } as unknown as Note)).toBe(
      '{"title":"t"}',
    );
  });

  it("is an object, or an array where positions are allowed", () => {
    expect(note.read(["t", 5])).toEqual({ title: "t", count: 5 });
    expect(() => note.readObject(["t", 5])).toThrow(expect.objectContaining({ code: "invalid-value" }));
    for (const value of [null, "x", 5, undefined]) expect(() => note.read(value)).toThrow("an object");
  });

  it("reads a field that only the store writes, unless it has another shape", () => {
    expect(note.read({ _etag: "7" })).toEqual({ _etag: "7" });
    expect(note.read({ _etag: 7 })).toEqual({});
    expect(note.write({ _etag: "7" })).toBe("{}");
  });

  it.each([0, 10, 1.5, "5", true])("keeps integers within their bounds: not %s", (count) => {
    expect(() => note.read({ count })).toThrow(expect.objectContaining({ path: "count" }));
    expect(() => note.write({ count } as Note)).toThrow(expect.objectContaining({ path: "count" }));
  });
});
