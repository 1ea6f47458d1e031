/** Stored texts reach a terminal as text (safe-text.X1 to safe-text.X3). */
import { describe, expect, it } from "vitest";
import { safeJson, safeName, safeText, shellWord } from "../../src/text/safe-text.ts";
import { obeyed } from "../support/terminal-safe.ts";

describe("a stored text", () => {
  it.each([
    ["\u001b[2J", "\\x1b[2J"],
    ["a\nb\r\tc", "a\\nb\\r\\tc"],
    ["\u009b31m", "\\x9b31m"],
    ["\u202egnp.exe", "\\u202egnp.exe"],
    ["a\u2028b", "a\\u2028b"],
    ["\ud800", "\\ud800"],
    ["\u{e0041}", "\\u{e0041}"],
    ["\u0007\u0000\u007f", "\\x07\\x00\\x7f"],
  ])("%j is shown as %s", (text, shown) => {
    expect(safeText(text)).toBe(shown);
    expect(obeyed(safeText(text))).toEqual([]);
  });

  it("keeps letters, emoji and their joiners", () => {
    expect(safeText("Grüße 日本 👩‍👩‍👧")).toBe("Grüße 日本 👩‍👩‍👧");
  });

  it("in right-to-left letters does not reorder its neighbours", () => {
    expect(safeText("שלום")).toBe("\u2068שלום\u2069");
  });
});

describe("a name", () => {
  it("is never shown as another one", () => {
    const names = [
      "a\nb",
      "a\\nb",
      "a\\\nb",
      "a\\\\nb",
      "a b",
      "a\u00a0b",
      "a\\xa0b",
      "a b ",
      "ab",
      "a\u200db",
      "ab\u200c",
      "caf\u00e9",
      "cafe\u0301",
      "\u212b",
      "\u00c5",
      "\ud55c",
      "\u1112\u1161\u11ab",
    ];
    expect(new Set(names.map(safeName)).size).toBe(names.length);
    // Two spellings of a letter look the same.
    expect(new Set(names.map((name) => safeName(name).normalize())).size).toBe(names.length);
    expect(safeName("a\\nb")).toBe("a\\\\nb");
  });

  it("keeps the joiners of emoji and of letters", () => {
    for (const name of ["👩‍👩‍👧", "می‌خواهم", "हिन्दी", "ไทย"]) expect(safeName(name)).toBe(safeText(name));
  });
});

describe("JSON", () => {
  it("is the same value without what a terminal obeys", () => {
    const value = { text: "\u009b31m\u202e\u2028\u{e0041}", plain: "ü" };
    const json = safeJson(JSON.stringify(value));
    expect(JSON.parse(json)).toEqual(value);
    expect(obeyed(json)).toEqual([]);
  });
});

describe("a word for a shell", () => {
  it("is quoted where it has to be, and absent where it should not be pasted", () => {
    expect(shellWord("order-1")).toBe("order-1");
    expect(shellWord("$(rm -rf ~)")).toBe("'$(rm -rf ~)'");
    expect(shellWord("=1+1")).toBe("'=1+1'");
    expect(shellWord("a=1")).toBe("a=1");
    expect(shellWord("it's")).toBe("'it'\\''s'");
    expect(shellWord("a\nb")).toBeUndefined();
  });
});
