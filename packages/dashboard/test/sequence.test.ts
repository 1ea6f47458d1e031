/** The messages, lanes and bars of a sequence, from a timeline. */
import { describe, expect, it } from "vitest";
import { lanesOf } from "../src/page/screens/instance/sequence/lanes.ts";
import { messagesOf } from "../src/page/screens/instance/sequence/messages.ts";
import { workOf } from "../src/page/screens/instance/sequence/work.ts";
import type { Bar, TimelineView } from "../src/page/shapes/instance.ts";

const bar = (id: number, more: Partial<Bar>): Bar => ({
  id,
  kind: "event",
  name: "over",
  state: "completed",
  startMs: 0,
  attempts: [],
  ...more,
});

const activity = (id: number, name: string, scheduledMs: number, endMs?: number): Bar =>
  bar(id, {
    kind: "activity",
    name,
    startMs: scheduledMs,
    attempts: [
      { id, scheduledMs, state: "completed", startedMs: scheduledMs, ...(endMs !== undefined && { endMs }) },
    ],
  });

const timeline = (bars: readonly Bar[], more: Partial<TimelineView> = {}): TimelineView => ({
  instanceId: "order-1",
  executionId: 1,
  startMs: 0,
  bars,
  unread: [],
  setAside: [],
  eventCount: 9,
  nowMs: 100,
  ...more,
});

describe("a sequence", () => {
  it("has a cancellation in front of what it drops and begins at the same moment, and the end last", () => {
    const dropped = bar(2, { state: "cancelled", endMs: 50 });
    const messages = messagesOf(
      timeline([dropped, activity(5, "undo", 50, 60)], {
        cancelRequested: { atMs: 50, reason: "sold out" },
        endMs: 60,
        ended: "cancelled",
      }),
    );
    expect(messages.map(({ from, to, label }) => `${from.name} > ${to.name}: ${label}`)).toEqual([
      "Outside > Instance: start",
      "Instance > Instance: waits for event over",
      "Outside > Instance: cancel: sold out",
      "Instance > Instance: wait for over dropped",
      "Instance > undo: undo",
      "undo > Instance: completed after 10 ms",
      "Instance > Outside: cancelled",
    ]);
  });

  it("has what was not received and what was set aside as messages from outside", () => {
    const arrival = (id: number, name: string) => ({ kind: "event", id, name, atMs: id }) as const;
    const messages = messagesOf({ ...timeline([]), unread: [arrival(2, "a")], setAside: [arrival(3, "b")] });
    expect(messages.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["event a, not received", "event b, set aside"]),
    );
  });

  it("has one lane for the activities that are too many, and one for all on a narrow screen", () => {
    const messages = messagesOf(
      timeline(["a", "b", "c", "d", "e"].map((name, n) => activity(n + 2, name, n))),
    );
    const names = (most: number) => lanesOf(messages, most).lanes.map(({ name }) => name);
    expect(names(5)).toEqual(["Outside", "Instance", "a", "b", "c", "d", "e"]);
    expect(names(4)).toEqual(["Outside", "Instance", "a", "b", "c", "Other activities"]);
    expect(names(1)).toEqual(["Outside", "Instance", "Activities"]);
    expect(lanesOf(messages, 4).laneOf({ kind: "activity", name: "e" })).toBe(5);
  });

  it("has calls of one lane beside each other while they are open at the same time", () => {
    const messages = messagesOf(
      timeline([activity(2, "a", 1, 4), activity(3, "a", 2), activity(4, "a", 5, 6)]),
    );
    const work = workOf(messages, lanesOf(messages, 4), new Map());
    expect(work.map(({ barId, depth, fromRow, toRow }) => ({ barId, depth, fromRow, toRow }))).toEqual([
      { barId: 2, depth: 0, fromRow: 1, toRow: 3 },
      { barId: 4, depth: 0, fromRow: 4, toRow: 5 },
      { barId: 3, depth: 1, fromRow: 2, toRow: undefined },
    ]);
  });
});
