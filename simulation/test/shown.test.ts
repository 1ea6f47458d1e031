/** The comparison of what is shown with histories sees what it is there for. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { Overtaking } from "../checks/overtaking.ts";
import { ShownWatch } from "../checks/shown.ts";
import type { ShownInstance, Stored } from "../store/simulated-store.ts";

const started = (revision?: object) => ({ type: "OrchestrationStarted", ...(revision && { revision }) });
const shows = (status: string) => ({ type: "CustomStatusUpdated", status });
const sets = (key: string, value: string) => ({ type: "KeyValueSet", key, value });
const ERASED = { type: "KeyValuesCleared" };
const COMPLETED = { type: "OrchestrationCompleted", output: "1" };
const CONTINUED = { type: "OrchestrationContinuedAsNew", input: "2" };

function violationsOf(
  histories: Readonly<Record<string, readonly object[]>>,
  shown: Partial<ShownInstance> & { readonly entries?: ReadonlyMap<string, string> },
): readonly string[] {
  const violations: string[] = [];
  const stored: Stored = {
    histories: new Map(
      Object.entries(histories).map(([key, events]) => [key, events.map((event) => JSON.stringify(event))]),
    ),
    decode: (text) => JSON.parse(text) as HistoryEvent,
    leftovers: [],
    ends: [],
    contradictions: [],
    instances: [
      {
        instanceId: "i",
        executionId: 1,
        status: "Running",
        output: null,
        customStatus: null,
        tags: {},
        entries: new Map(),
        executions: new Map([[1, "Running"]]),
        ...shown,
      },
    ],
  };
  new ShownWatch((violation) => violations.push(violation)).look(stored);
  return violations;
}

describe("what a store shows of an instance", () => {
  it("is that of its histories", () => {
    expect(violationsOf({ "i#1": [started()] }, {})).toEqual([]);
    const ended = { status: "Completed", output: "1", executions: new Map([[1, "Completed"]]) };
    expect(violationsOf({ "i#1": [started(), COMPLETED] }, ended)).toEqual([]);
    expect(violationsOf({ "i#1": [started(), COMPLETED] }, {})).toHaveLength(3);
  });

  it("has no custom status before its own history has one", () => {
    expect(violationsOf({ "i#1": [started(), shows("new")] }, { customStatus: "new" })).toEqual([]);
    expect(violationsOf({ "i#1": [started()] }, { customStatus: "of an earlier life" })).toHaveLength(1);
  });

  it("has the tags of its history", () => {
    const tagged = (tags: object) => ({ type: "TimerFired", tags_after: tags });
    const history = { "i#1": [started(), tagged({ a: 1 }), tagged({ b: true })] };
    expect(violationsOf(history, { tags: { b: true } })).toEqual([]);
    expect(violationsOf(history, { tags: { a: 1, b: true } })).toHaveLength(1);
    expect(violationsOf(history, {})).toHaveLength(1);
  });

  it("has the entries of earlier executions until they are erased", () => {
    const executions = new Map([
      [1, "ContinuedAsNew"],
      [2, "Running"],
    ]);
    const histories = { "i#1": [started(), sets("a", "1"), CONTINUED], "i#2": [started()] };
    const now = { executionId: 2, executions };
    expect(violationsOf(histories, { ...now, entries: new Map([["a", "1"]]) })).toEqual([]);
    expect(violationsOf(histories, now)).toHaveLength(1);
    const erased = { ...histories, "i#2": [started(), ERASED] };
    expect(violationsOf(erased, now)).toEqual([]);
    expect(violationsOf(erased, { ...now, entries: new Map([["a", "1"]]) })).toHaveLength(1);
  });

  it("has the entries with which the execution began that an operator repeats, and none after a restart", () => {
    const first = [started(), sets("a", "1"), { ...COMPLETED }];
    const executions = new Map([
      [1, "Completed"],
      [2, "Running"],
    ]);
    const after = (verb: string, entries: ReadonlyMap<string, string>) =>
      violationsOf(
        { "i#1": first, "i#2": [started({ verb, of: 1 })] },
        { executionId: 2, executions, entries },
      );
    expect(after("rewind", new Map())).toEqual([]);
    expect(after("restart", new Map())).toEqual([]);
    expect(after("rewind", new Map([["a", "1"]]))).toHaveLength(1);
  });
});

describe("a message that was accepted before an activity ended", () => {
  const outcome = { type: "ActivityCompleted", instance_id: "i", execution_id: 1, source_event_id: 2 };
  const message = { type: "ExternalEventPersistent", instance_id: "i", name: "q", data: '"0"' };
  const check = (messageAt: number, endAt: number, ...events: readonly object[]): readonly string[] => {
    let step = messageAt;
    const overtaking = new Overtaking(() => step);
    overtaking.accepted("i", "q", "0");
    step = endAt;
    overtaking.ended("i:1:2");
    return overtaking.violations(new Map([["i#1", events as HistoryEvent[]]]));
  };

  it("comes before its outcome", () => {
    expect(check(1, 2, message, outcome)).toEqual([]);
    expect(check(1, 2, outcome, message)).toEqual(['i: activity i:1:2 overtook q "0"']);
    expect(check(2, 1, outcome, message)).toEqual([]);
  });
});
