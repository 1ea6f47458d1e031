/**
 * The state that the next execution of an instance takes over from the one that it repeats
 * (src/verbs/next-execution.ts).
 */
import { describe, expect, it } from "vitest";
import { cutAfter } from "../../src/verbs/cut.ts";
import { beginExecution, type NextExecution } from "../../src/verbs/next-execution.ts";
import type { EventPayloads } from "../../src/wire/event.ts";
import { history, type Line, STARTED } from "../support/engine-turn.ts";

const MARKED = { session_id: "s", tag: "gpu", attempt: 2, retry_of: 2 };
const CALLS: readonly Line[] = [
  ["ActivityScheduled", { name: "first", input: "1" }],
  ["ActivityScheduled", { name: "again", input: "2", ...MARKED }],
  ["TimerCreated", { fire_at_ms: 5_000 }],
];
const ARRIVALS: readonly Line[] = [
  ["ExternalEvent", { name: "e", data: "3" }],
  ["ExternalEventPersistent", { name: "q", data: "4" }],
  ["ExternalEventPersistent", { name: "q", data: "5" }],
];

function begin(lines: readonly Line[], toEvent: number, more: Partial<NextExecution> = {}) {
  return beginExecution({
    ...cutAfter(history(lines), toEvent),
    instanceId: "i",
    executionId: 2,
    mark: { verb: "rewind", of: 1, at_ms: 0 },
    keepsKeys: false,
    nowMs: 1_000,
    ...more,
  });
}

function startedWith(payload: Partial<EventPayloads["OrchestrationStarted"]>): Line {
  const [type, given] = STARTED as readonly ["OrchestrationStarted", EventPayloads["OrchestrationStarted"]];
  return [type, { ...given, ...payload }];
}

describe("the next execution", () => {
  it("runs each open activity in its session, under its tag and as the attempt that it was", () => {
    const { workerItems } = begin([STARTED, ...CALLS], 4);
    const common = { kind: "ActivityExecute", instance: "i", execution_id: 2 };
    const { attempt: _, ...marks } = MARKED;
    expect(workerItems).toEqual([
      { ...common, id: 2, name: "first", input: "1" },
      { ...common, id: 3, name: "again", input: "2", ...marks },
    ]);
  });

  it("lets open activities keep their keys only where they are to", () => {
    const keys = (keepsKeys: boolean) =>
      begin([STARTED, ...CALLS], 4, { keepsKeys }).workerItems.map((item) => item.key_execution);
    expect(keys(true)).toEqual([1, 1]);
    expect(keys(false)).toEqual([undefined, undefined]);
  });

  it("has its open timers fire when they were to", () => {
    const { orchestratorItems } = begin([STARTED, ...CALLS], 4);
    const fired = { kind: "TimerFired", instance: "i", execution_id: 2, id: 4, fire_at_ms: 5_000 };
    expect(orchestratorItems).toContainEqual(fired);
  });

  it("gets what clients have sent after the cut once more, in the same order", () => {
    const { returnedMessages, orchestratorItems } = begin([STARTED, ...CALLS, ...ARRIVALS], 4);
    const queued = (data: string) => ({ kind: "QueueMessage", instance: "i", name: "q", data });
    expect(returnedMessages).toEqual([queued("4"), queued("5")]);
    expect(orchestratorItems).toContainEqual({ kind: "ExternalRaised", instance: "i", name: "e", data: "3" });
  });

  it("runs no activity again whose outcome is sent again", () => {
    const answered: Line = ["ActivityCompleted", { result: '"done"' }, 2];
    const { workerItems, orchestratorItems } = begin([STARTED, ...CALLS, answered, ...ARRIVALS], 6);
    expect(workerItems.map(({ id }) => id)).toEqual([3]);
    const sent = { kind: "ActivityCompleted", instance: "i", execution_id: 2, id: 2, result: '"done"' };
    expect(orchestratorItems).toContainEqual(sent);
  });

  it("answers the execution of its parent that is named, else the one that was recorded", () => {
    const ofParent = startedWith({ parent_instance: "p", parent_id: 7, parent_execution_id: 3 });
    const first = (more: Partial<NextExecution>) => begin([ofParent, ...CALLS], 4, more).historyDelta[0];
    expect(first({})).toMatchObject({
      parent_execution_id: 3,
      execution_id: 2,
      revision: { verb: "rewind" },
    });
    expect(first({ parentExecutionId: 4 })).toMatchObject({ parent_execution_id: 4 });
  });

  it("has the deadline of its instance again, unless it is over", () => {
    const ends = (deadline_ms: number) =>
      begin([startedWith({ deadline_ms }), ...CALLS], 4).orchestratorItems.filter(
        ({ kind }) => kind === "CancelInstance",
      );
    expect(ends(1_001)).toMatchObject([{ instance: "i", deadline_ms: 1_001 }]);
    expect(ends(1_000)).toEqual([]);
  });
});
