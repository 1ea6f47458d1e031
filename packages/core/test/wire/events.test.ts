/** History events are read and written exactly as Rust reads and writes them: docs/reference/wire-format.md §2. */
import { describe, expect, it } from "vitest";
import type { HistoryEvent } from "../../src/index.ts";
import { decodeEvent, encodeEvent, isTerminal } from "../../src/stores/index.ts";
import { eventVectors, recordedHistories } from "./vectors.ts";

const TIMER_FIRED =
  '{"event_id":4,"source_event_id":3,"instance_id":"i","execution_id":1,"timestamp_ms":9,"duroxide_version":"0.1.32","type":"TimerFired","fire_at_ms":8}';

describe("an event that Rust wrote", () => {
  it.each(eventVectors)("$name is written back byte for byte", ({ raw }) => {
    expect(encodeEvent(decodeEvent(raw))).toBe(raw);
  });

  it.each(eventVectors)("$name is terminal or not, as in Rust", ({ raw, isTerminal: terminal }) => {
    expect(isTerminal(decodeEvent(raw))).toBe(terminal);
  });

  it("is in memory what it is on the wire", () => {
    expect(decodeEvent(TIMER_FIRED)).toEqual(JSON.parse(TIMER_FIRED));
  });

  it.each(recordedHistories())("is written back byte for byte, all of the history $name", ({ instances }) => {
    const events = instances.flatMap(({ executions }) => executions.flatMap((execution) => execution.events));
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      const text = JSON.stringify(event);
      expect(encodeEvent(decodeEvent(text))).toBe(text);
    }
  });
});

describe("an event made here", () => {
  const event: HistoryEvent = {
    type: "ActivityScheduled",
    tag: "gpu",
    input: "in",
    name: "Act",
    duroxide_version: "0.1.32",
    timestamp_ms: 5,
    execution_id: 1,
    instance_id: "i",
    source_event_id: null,
    event_id: 2,
  };

  it("is written in Rust's order of fields, whatever order it has in memory", () => {
    expect(encodeEvent(event)).toBe(
      '{"event_id":2,"source_event_id":null,"instance_id":"i","execution_id":1,"timestamp_ms":5,"duroxide_version":"0.1.32","type":"ActivityScheduled","name":"Act","input":"in","tag":"gpu"}',
    );
  });

  it("is not changed by being written", () => {
    const copy = structuredClone(event);
    encodeEvent(event);
    expect(event).toEqual(copy);
  });

  it.each([
    ["a time with a fraction", { ...event, timestamp_ms: 1.5 }, "timestamp_ms"],
    ["a time that is not a number", { ...event, timestamp_ms: Number.NaN }, "timestamp_ms"],
    ["a negative id", { ...event, event_id: -1 }, "event_id"],
    ["an input that is no text", { ...event, input: 5 }, "input"],
    ["no instance", { ...event, instance_id: undefined }, "instance_id"],
    ["an unknown type", { ...event, type: "Surprise" }, "type"],
  ])("is refused with %s, which no reader would accept", (_what, broken, path) => {
    expect(() => encodeEvent(broken as unknown as HistoryEvent)).toThrow(
      expect.objectContaining({ name: "WireError", subject: "event", path }),
    );
  });
});

describe("a field that this version does not know", () => {
  it("survives reading and writing, behind the known ones", () => {
    const text = TIMER_FIRED.replace("{", '{"shard":{"id":18446744073709551615,"names":["é"]},');
    const stored = encodeEvent(decodeEvent(text));
    expect(stored).toBe(TIMER_FIRED.replace("}", ',"shard":{"id":18446744073709551615,"names":["é"]}}'));
  });

  it("survives inside the details of a failure", () => {
    const details =
      '{"Application":{"kind":"ActivityFailed","message":"m","retryable":false,"trace":[1.5,null]}}';
    const text = TIMER_FIRED.replace('"TimerFired","fire_at_ms":8', `"ActivityFailed","details":${details}`);
    expect(encodeEvent(decodeEvent(text))).toBe(text);
  });

  it("may have the name of something in JavaScript", () => {
    const text = TIMER_FIRED.replace("}", ',"__proto__":{"x":1},"constructor":null}');
    expect(encodeEvent(decodeEvent(text))).toBe(text);
  });
});

describe("a numeric type", () => {
  const read = (type: unknown): string =>
    decodeEvent(
      TIMER_FIRED.replace('"TimerFired"', String(type)).replace(
        "}",
        ',"name":"n","input":"i","details":{"Poison":[1,1,{"Orchestration":["i",1]},""]},"result":"","reason":"","output":"","version":"","data":"","instance":"","key":"","value":""}',
      ),
    ).type;

  it("is an index into the event types in Rust's order, and read as its name", () => {
    const types = Array.from({ length: 26 }, (_, index) => read(index));
    expect(types).toEqual([
      "OrchestrationStarted",
      "OrchestrationCompleted",
      "OrchestrationFailed",
      "ActivityScheduled",
      "ActivityCompleted",
      "ActivityFailed",
      "ActivityCancelRequested",
      "TimerCreated",
      "TimerFired",
      "ExternalSubscribed",
      "ExternalEvent",
      "OrchestrationChained",
      "SubOrchestrationScheduled",
      "SubOrchestrationCompleted",
      "SubOrchestrationFailed",
      "SubOrchestrationCancelRequested",
      "OrchestrationContinuedAsNew",
      "OrchestrationCancelRequested",
      "ExternalSubscribedCancelled",
      "ExternalSubscribedPersistent",
      "ExternalEventPersistent",
      "ExternalSubscribedPersistentCancelled",
      "CustomStatusUpdated",
      "KeyValueSet",
      "KeyValueCleared",
      "KeyValuesCleared",
    ]);
  });

  it.each([26, -1, 1.5])("%s is unknown", (type) => {
    expect(() => read(type)).toThrow(expect.objectContaining({ code: "unknown-variant", path: "type" }));
  });

  it.each(['"toString"', '"__proto__"', '"constructor"'])("neither is %s a type", (type) => {
    expect(() => read(type)).toThrow(expect.objectContaining({ code: "unknown-variant", path: "type" }));
  });
});
