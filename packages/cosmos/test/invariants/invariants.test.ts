/** A check that cannot fail proves nothing: each invariant, against documents that break it. */
import { type EventPayloads, type EventType, encodeEvent } from "@duroxide-ts/core/stores";
import { eventOf } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import type { Document } from "./documents.ts";
import { violationsIn } from "./histories.ts";
import { leftoversIn } from "./leftovers.ts";

const instance: Document = {
  id: "a:instance",
  instanceId: "a",
  type: "instance",
  currentExecutionId: 1,
  status: "Completed",
  lockToken: null,
  lockedUntil: null,
};

function row<T extends EventType>(
  eventId: number,
  type: T,
  payload: EventPayloads[T],
  source: number | null = null,
): Document {
  const event = { ...eventOf(type, "a", eventId, payload), source_event_id: source };
  const position = { executionId: 1, eventId, eventData: encodeEvent(event) };
  return { id: `a:history:1:${eventId}`, instanceId: "a", type: "history", ...position };
}

const scheduled = row(1, "ActivityScheduled", { name: "x", input: "" });
const completed = row(2, "ActivityCompleted", { result: "" }, 1);
const ended = row(3, "OrchestrationCompleted", { output: "" });
const good = [instance, scheduled, completed, ended];

const violations = (...documents: readonly Document[]): readonly string[] => [
  ...leftoversIn(documents),
  ...violationsIn(documents),
];

it("an instance that ended and left nothing is in order", () => {
  expect(violations(...good)).toEqual([]);
});

it.each(["outbox_intent", "commit_intent", "delete_intent", "prune_intent", "orch_queue", "worker_queue"])(
  "a %s that is left over is seen",
  (type) => {
    expect(violations(...good, { id: "left", instanceId: "a", type })).toEqual([`left over: ${type} left`]);
  },
);

it("a staged piece may wait for the reconciler, which goes by a note of it, and only then", () => {
  const piece = { id: "a:staged:s1:0", instanceId: "a", type: "staged" };
  const note = { id: "a:staging:s1", instanceId: "a", type: "staging", stage: "s1" };
  expect(violations(...good, piece, note)).toEqual([]);
  expect(violations(...good, piece)).toHaveLength(1);
});

it.each([
  ["a lock", { lockToken: "t", lockedUntil: 1 }],
  ["a mark of a deletion", { duroxideTs: { deletion: "key" } }],
  ["a note of taken messages", { duroxideTs: { taken: {} } }],
  ["a status that its history does not have", { status: "Running" }],
])("%s is seen", (_, wrong) => {
  expect(violations({ ...instance, ...wrong }, scheduled, completed, ended)).toHaveLength(1);
});

it("documents without their instance are seen, but for those that outlive it", () => {
  expect(violations({ id: "r", instanceId: "gone", type: "receipt" })).toEqual([]);
  expect(violations({ id: "k", instanceId: "gone", type: "kv" })).toHaveLength(1);
});

it("an activity without a completion, with two, and a completion of nothing are seen", () => {
  const running = { ...instance, status: "Running" };
  const again = row(3, "ActivityCompleted", { result: "" }, 1);
  const stray = row(3, "ActivityCompleted", { result: "" }, 9);
  expect(violations(running, scheduled)).toEqual(["a#1: event 1, ActivityScheduled, was answered 0 times"]);
  expect(violations(running, scheduled, completed, again)).toEqual([
    "a#1: event 1, ActivityScheduled, was answered 2 times",
  ]);
  expect(violations(running, scheduled, completed, stray)).toEqual([
    "a#1: no call asked for event 3, ActivityCompleted",
  ]);
});

it("a child without an answer is seen, unless its parent was cancelled", () => {
  const running = { ...instance, status: "Running" };
  const child = row(1, "SubOrchestrationScheduled", { name: "c", instance: "c", input: "" });
  const cancelled = row(2, "OrchestrationCancelRequested", { reason: "sold out" });
  expect(violations(running, child)).toEqual([
    "a#1: event 1, SubOrchestrationScheduled, was answered 0 times",
  ]);
  expect(violations(running, child, cancelled)).toEqual([]);
});

it("a gap in a history and a second end are seen", () => {
  expect(
    violations(instance, scheduled, completed, { ...row(4, "OrchestrationCompleted", { output: "" }) }),
  ).toEqual(["a#1: the event in place 3 has the id 4"]);
  expect(violations(...good, row(4, "OrchestrationCompleted", { output: "" }))).toEqual([
    "a#1: ended 2 times",
  ]);
});
