/** The table of durable calls: what the engine looks up by event type and by message kind is complete and unambiguous. */
import { expect, test } from "vitest";
import type { CallKind } from "../../src/replay/calls/kind.ts";
import { CALLS, requestedBy, roleOfEvent, roleOfMessage } from "../../src/replay/calls/table.ts";
import type { EventType } from "../../src/wire/event.ts";
import { eventVectors } from "../wire/vectors.ts";

const eventsOf = ({ schedules, answers, drop }: CallKind): EventType[] => [
  schedules,
  ...answers.map(({ event }) => event),
  ...(drop?.event === undefined ? [] : [drop.event]),
];

test("an event belongs to one kind of call", () => {
  const claimed = CALLS.flatMap(eventsOf);
  expect(new Set(claimed).size).toBe(claimed.length);
  for (const kind of CALLS) {
    expect(requestedBy(kind.schedules)).toBe(kind);
    for (const type of eventsOf(kind)) expect(roleOfEvent(type)?.kind).toBe(kind);
  }
});

test("every event that is no call's is the execution's own", () => {
  const types = new Set(eventVectors.map(({ raw }) => (JSON.parse(raw) as { type: EventType }).type));
  const own = [...types].filter((type) => roleOfEvent(type) === undefined).sort();
  expect(own).toEqual([
    "OrchestrationCancelRequested",
    "OrchestrationCompleted",
    "OrchestrationContinuedAsNew",
    "OrchestrationFailed",
    "OrchestrationStarted",
  ]);
});

test("a message answers one kind of call", () => {
  const answered = CALLS.flatMap((kind) => kind.answers.map(({ message }) => ({ kind, message })));
  expect(new Set(answered.map(({ message }) => message)).size).toBe(answered.length);
  for (const { kind, message } of answered) expect(roleOfMessage(message)?.kind).toBe(kind);
});

test("drops of one turn are recorded in the order that histories have", () => {
  expect(CALLS.flatMap(({ drop }) => drop?.event ?? [])).toEqual([
    "ActivityCancelRequested",
    "SubOrchestrationCancelRequested",
    "ExternalSubscribedCancelled",
    "ExternalSubscribedPersistentCancelled",
  ]);
});

test("all kinds have the same fields in the same order, so that lookups see one shape", () => {
  const shapes = new Set(CALLS.map((kind) => Object.keys(kind).join()));
  expect(shapes.size).toBe(1);
});
