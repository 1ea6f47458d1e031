/** Integers are exact up to 2^64-1 and never leave their range: docs/reference/wire-format.md §1. */
import { describe, expect, it } from "vitest";
import type { HistoryEvent } from "../../src/index.ts";
import { decodeEvent, decodeWorkItem, encodeEvent, encodeWorkItem } from "../../src/stores/index.ts";

const timer = (fireAt: string): string =>
  `{"event_id":1,"source_event_id":null,"instance_id":"i","execution_id":1,"timestamp_ms":1,"duroxide_version":"0.1.32","type":"TimerCreated","fire_at_ms":${fireAt}}`;

const fireAt = (text: string): unknown => {
  const event = decodeEvent(timer(text));
  return event.type === "TimerCreated" ? event.fire_at_ms : undefined;
};

describe("an integer", () => {
  it.each([
    ["0", 0],
    ["1700000005123", 1_700_000_005_123],
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740992", 9_007_199_254_740_992n],
    ["9007199254740993", 9_007_199_254_740_993n],
    ["18446744073709551615", 18_446_744_073_709_551_615n],
  ])("of %s is read exactly, as a number while a number can hold it", (text, value) => {
    expect(fireAt(text)).toBe(value);
    expect(encodeEvent(decodeEvent(timer(text)))).toBe(timer(text));
  });

  it.each([
    "18446744073709551616",
    "99999999999999999999999",
    "-1",
    "-9007199254740993",
    "5.5",
    "1e-1",
    '"5"',
    "null",
    "true",
    "1e30",
  ])("of %s is refused", (text) => {
    expect(() => fireAt(text)).toThrow(
      expect.objectContaining({ code: "invalid-value", path: "fire_at_ms" }),
    );
  });

  it("is exact in nested places and in unknown fields too", () => {
    const text =
      '{"ActivityFailed":{"instance":"i","execution_id":18446744073709551615,"id":2,"details":{"Poison":{"attempt_count":1,"max_attempts":1,"message_type":{"Orchestration":{"instance":"i","execution_id":9007199254740993}},"message":"","balance":-9223372036854775808}}}}';
    expect(encodeWorkItem(decodeWorkItem(text))).toBe(text);
  });

  it("may stand in text without changing what the text is", () => {
    const payload = '{"card": 1234567890123456789, "list":[12345678901234567890]}';
    const event = {
      ...decodeEvent(timer("1")),
      type: "ExternalEvent",
      name: "n",
      data: payload,
    } as HistoryEvent;
    expect(decodeEvent(encodeEvent(event))).toMatchObject({ data: payload });
  });

  it("is exact inside an array", () => {
    expect(decodeWorkItem('{"ActivityCompleted":["i",9007199254740993,2,""]}')).toMatchObject({
      execution_id: 9_007_199_254_740_993n,
    });
  });

  it("is exact after white space and a sign", () => {
    expect(fireAt(" \n9007199254740993")).toBe(9_007_199_254_740_993n);
    expect(() => fireAt(" -9007199254740993")).toThrow("fire_at_ms");
  });

  it.each([2 ** 53, -1, 0.5, Number.NaN, -1n, 2n ** 64n])("of %s is never written", (value) => {
    const event = { ...decodeEvent(timer("1")), fire_at_ms: value } as HistoryEvent;
    expect(() => encodeEvent(event)).toThrow(expect.objectContaining({ path: "fire_at_ms" }));
  });
});

describe("an attempt count", () => {
  const poison = (count: string): string =>
    `{"SubOrchFailed":{"parent_instance":"i","parent_execution_id":1,"parent_id":2,"details":{"Poison":{"attempt_count":${count},"max_attempts":1,"message_type":{"Orchestration":{"instance":"i","execution_id":1}},"message":""}}}}`;

  it("has 32 bits", () => {
    expect(encodeWorkItem(decodeWorkItem(poison("4294967295")))).toBe(poison("4294967295"));
    expect(() => decodeWorkItem(poison("4294967296"))).toThrow(
      expect.objectContaining({ path: "SubOrchFailed.details.Poison.attempt_count" }),
    );
  });
});
