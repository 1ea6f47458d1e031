/** Work items are read and written exactly as Rust reads and writes them: docs/reference/wire-format.md §3. */
import { describe, expect, it } from "vitest";
import { decodeWorkItem, encodeWorkItem, targetInstance, type WorkItem } from "../../src/stores/index.ts";
import { workItemVectors } from "./vectors.ts";

describe("a work item that Rust wrote", () => {
  it.each(workItemVectors)("$name is written back byte for byte", ({ raw }) => {
    expect(encodeWorkItem(decodeWorkItem(raw))).toBe(raw);
  });

  it.each(workItemVectors)(
    "$name belongs to the queue of the same instance",
    ({ raw, targetInstance: target }) => {
      expect(targetInstance(decodeWorkItem(raw))).toBe(target);
    },
  );
});

describe("a work item in memory", () => {
  it("has its tag as its kind", () => {
    expect(decodeWorkItem('{"CancelInstance":{"instance":"i","reason":"r"}}')).toEqual({
      kind: "CancelInstance",
      instance: "i",
      reason: "r",
    });
  });

  it("has null where Rust writes null, and no key where Rust writes none", () => {
    const minimal =
      '{"StartOrchestration":{"instance":"i","orchestration":"o","input":"x","execution_id":1}}';
    expect(decodeWorkItem(minimal)).toEqual({
      kind: "StartOrchestration",
      instance: "i",
      orchestration: "o",
      input: "x",
      version: null,
      parent_instance: null,
      parent_id: null,
      execution_id: 1,
    });
  });

  it("has no key for what Rust omits, also where another writer wrote null", () => {
    const text =
      '{"ActivityExecute":{"instance":"i","execution_id":1,"id":2,"name":"n","input":"","tag":null}}';
    expect(Object.keys(decodeWorkItem(text))).not.toContain("tag");
  });

  it("is written in Rust's order of fields, whatever order it has in memory", () => {
    const item: WorkItem = { id: 2, result: "ok", execution_id: 1, instance: "i", kind: "ActivityCompleted" };
    expect(encodeWorkItem(item)).toBe(
      '{"ActivityCompleted":{"instance":"i","execution_id":1,"id":2,"result":"ok"}}',
    );
  });

  it("keeps fields that this version does not know", () => {
    const text = '{"QueueMessage":{"instance":"i","name":"n","data":"d","priority":3}}';
    expect(encodeWorkItem(decodeWorkItem(text))).toBe(text);
  });

  it("is refused when it holds what no reader would accept", () => {
    const broken = {
      kind: "TimerFired",
      instance: "i",
      execution_id: 1,
      id: 2,
      fire_at_ms: Number.POSITIVE_INFINITY,
    };
    expect(() => encodeWorkItem(broken as WorkItem)).toThrow(
      expect.objectContaining({ name: "WireError", subject: "work item", path: "fire_at_ms" }),
    );
  });
});

describe("carried messages", () => {
  const continued = (carried: string): string =>
    `{"ContinueAsNew":{"instance":"i","orchestration":"o","input":"","carry_forward_events":${carried}}}`;

  it.each([
    '[["a"]]',
    '[["a","b","c"]]',
    '[[1,"b"]]',
    '[["a",2]]',
    '[{"name":"a","data":"b"}]',
    '["ab"]',
    '"ab"',
  ])("are pairs of texts, and not %s", (carried) => {
    expect(() => decodeWorkItem(continued(carried))).toThrow(
      expect.objectContaining({ code: "invalid-value" }),
    );
  });
});

describe("the array form of a work item", () => {
  it("is read by position", () => {
    const text = '{"StartOrchestration":["i","o","x",null,"p",7,3,1]}';
    expect(encodeWorkItem(decodeWorkItem(text))).toBe(
      '{"StartOrchestration":{"instance":"i","orchestration":"o","input":"x","version":null,"parent_instance":"p","parent_id":7,"parent_execution_id":3,"execution_id":1}}',
    );
  });

  it("may leave out what has a default at its end", () => {
    const text = '{"ActivityExecute":["i",1,2,"Act","in"]}';
    expect(encodeWorkItem(decodeWorkItem(text))).toBe(
      '{"ActivityExecute":{"instance":"i","execution_id":1,"id":2,"name":"Act","input":"in"}}',
    );
  });

  it.each([
    ["too few values", '{"CancelInstance":["i"]}'],
    ["too many values", '{"CancelInstance":["i","r","x"]}'],
    ["nothing for a nullable field without a default", '{"ContinueAsNew":["i","o","x"]}'],
  ])("is refused with %s", (_what, text) => {
    expect(() => decodeWorkItem(text)).toThrow(expect.objectContaining({ name: "WireError" }));
  });
});
