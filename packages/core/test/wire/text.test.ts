/** Text is UTF-8 without lone surrogates, escaped as Rust escapes it: docs/reference/wire-format.md §1. */
import { describe, expect, it } from "vitest";
import type { HistoryEvent } from "../../src/index.ts";
import { decodeEvent, decodeWorkItem, encodeEvent, encodeWorkItem } from "../../src/stores/index.ts";

const raised = (data: string): string => `{"ExternalRaised":{"instance":"i","name":"n","data":${data}}}`;
const dataOf = (text: string): unknown => {
  const item = decodeWorkItem(text);
  return item.kind === "ExternalRaised" ? item.data : undefined;
};

describe("text", () => {
  it.each([
    ["quotes and backslashes", '"\\"\\\\"', '"\\'],
    ["short escapes", '"\\b\\t\\n\\f\\r"', "\b\t\n\f\r"],
    ["other control characters in lower-case hex", '"\\u0000\\u001f"', "\u0000\u001f"],
    ["what needs no escape", '"/\u007f\u2028\u2029\ufeff\uffff"', "/\u007f\u2028\u2029\ufeff\uffff"],
    ["pairs of surrogates", '"🌍𐀀"', "🌍𐀀"],
  ])("is written with %s", (_what, json, data) => {
    expect(encodeWorkItem({ kind: "ExternalRaised", instance: "i", name: "n", data })).toBe(raised(json));
    expect(dataOf(raised(json))).toBe(data);
  });

  it("is escaped in the same way whatever its length", () => {
    for (const length of [98, 99, 100, 101, 5000]) {
      const data = `${"x".repeat(length - 1)}"`;
      const expected = raised(JSON.stringify(data));
      expect(encodeWorkItem({ kind: "ExternalRaised", instance: "i", name: "n", data })).toBe(expected);
    }
  });

  it.each(["\ud800", "\udfff", "a\ud83cb", "\udf0d\ud83c", `${"x".repeat(200)}\ud800`])(
    "is written with U+FFFD for a lone surrogate (%j), because Rust refuses the whole document",
    (data) => {
      const text = encodeWorkItem({ kind: "ExternalRaised", instance: "i", name: "n", data });
      expect(text.isWellFormed()).toBe(true);
      expect(dataOf(text)).toBe(data.toWellFormed());
    },
  );

  it("has no lone surrogates in unknown fields either", () => {
    const item = {
      kind: "CancelInstance",
      instance: "i",
      reason: "r",
      "x\ud800": [{ "\ud801": "\udfff" }],
    } as const;
    expect(encodeWorkItem(item)).toBe(
      '{"CancelInstance":{"instance":"i","reason":"r","x\ufffd":[{"\ufffd":"\ufffd"}]}}',
    );
  });

  it.each(['"\\ud800"', '"\\uD800x"', '"\\udf0d\\ud83c"', '"\ud800"'])(
    "with a lone surrogate is refused: %s",
    (json) => {
      expect(() => dataOf(raised(json))).toThrow("work item: a string holds a lone surrogate");
    },
  );

  it.each([
    ['"\\ud83c\\udf0d"', "🌍"],
    ['"\\uD83C\\uDF0D"', "🌍"],
    ['"\\\\ud800"', "\\ud800"],
  ])("that only looks like a lone surrogate is read: %s", (json, data) => {
    expect(dataOf(raised(json))).toBe(data);
  });

  it.each([
    ["a byte order mark", `\ufeff${raised('""')}`],
    ["text behind the document", `${raised('""')} x`],
    ["a raw control character", raised('"\u0001"')],
    ["half a document", raised('""').slice(0, -1)],
    ["nothing at all", ""],
  ])("that is not JSON is refused: %s", (_what, text) => {
    expect(() => decodeWorkItem(text)).toThrow(expect.objectContaining({ code: "invalid-json" }));
  });

  it.each(["null", "5", '"x"', "[]", "[1]", "{}", "true"])(
    "that is JSON but no document is refused: %s",
    (text) => {
      expect(() => decodeEvent(text)).toThrow(
        expect.objectContaining({ name: "WireError", subject: "event" }),
      );
      expect(() => decodeWorkItem(text)).toThrow(
        expect.objectContaining({ name: "WireError", subject: "work item" }),
      );
    },
  );

  it("is sanitised in events as in work items", () => {
    const event = {
      event_id: 1,
      source_event_id: null,
      instance_id: "i\ud800",
      execution_id: 1,
      timestamp_ms: 1,
      duroxide_version: "0.1.32",
      type: "KeyValueCleared",
      key: "\udc00",
    } satisfies HistoryEvent;
    expect(decodeEvent(encodeEvent(event))).toEqual({ ...event, instance_id: "i\ufffd", key: "\ufffd" });
  });
});
