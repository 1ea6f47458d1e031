/** Traces travel as W3C's `traceparent`, in places where Rust accepts a field that it does not know. */
import { describe, expect, test } from "vitest";
import {
  formatTraceparent,
  parseTraceparent,
  traceparentOf,
  withTraceparent,
} from "../../src/observe/trace-context.ts";
import { withTurn } from "../../src/runtime/turns/turn-count.ts";
import { decodeEvent, decodeWorkItem, encodeEvent, encodeWorkItem } from "../../src/wire/codec.ts";
import { acceptanceRows, eventVectors, workItemVectors } from "../wire/vectors.ts";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("a traceparent", () => {
  test("names the span that it was made of", () => {
    const span = parseTraceparent(TRACEPARENT);
    expect(span).toEqual({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      traceFlags: 1,
    });
    expect(span && formatTraceparent(span)).toBe(TRACEPARENT);
  });

  test.each([
    "",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
    "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
  ])("of another form names none: %j", (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
    expect(traceparentOf({ traceparent: text })).toBeUndefined();
  });

  test("of a tracer that does nothing is not written", () => {
    const nothing = { traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 };
    expect(formatTraceparent(nothing)).toBeUndefined();
    const item = {};
    expect(withTraceparent(item, undefined)).toBe(item);
  });

  test("is ignored if it is not a string", () => {
    expect(traceparentOf({ traceparent: 7 })).toBeUndefined();
    expect(traceparentOf(undefined)).toBeUndefined();
  });
});

describe("Rust accepts", () => {
  const unknownFields = acceptanceRows.filter(({ change }) => change === "unknown_field_added");

  test.each(["StartOrchestration", "ContinueAsNew", "ActivityExecute"])("a further field in %s", (kind) => {
    const rows = unknownFields.filter(({ field }) => field === `${kind}.unknown_extra`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ accepted }) => !accepted)).toEqual([]);
  });

  test("a further field in every event", () => {
    const rows = unknownFields.filter(({ field }) => field === "unknown_extra");
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter(({ accepted }) => !accepted)).toEqual([]);
  });
});

describe("what is stored and read again keeps", () => {
  test.each(workItemVectors.map(({ name, raw }) => [name, raw]))("the trace of %s", (_name, raw) => {
    const traced = withTraceparent(decodeWorkItem(raw), TRACEPARENT);
    expect(traceparentOf(decodeWorkItem(encodeWorkItem(traced)))).toBe(TRACEPARENT);
  });

  test.each(eventVectors.map(({ name, raw }) => [name, raw]))("trace and turn of %s", (_name, raw) => {
    const [marked] = withTurn([decodeEvent(raw)], 3);
    const traced = marked && withTraceparent(marked, TRACEPARENT);
    const stored = traced && decodeEvent(encodeEvent(traced));
    expect(stored).toMatchObject({ turn: 3, traceparent: TRACEPARENT });
  });
});
