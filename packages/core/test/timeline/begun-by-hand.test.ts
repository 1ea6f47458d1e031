/** An activity that a retry or a rewind queued again waits from then on, in the execution that it began. */
import { describe, expect, it } from "vitest";
import { type HistoryEvent, timelineOf } from "../../src/index.ts";
import type { EventPayloads, EventType } from "../../src/stores/index.ts";

/** Time at which the operator began the execution, ms. */
const AT_MS = 100_000;

function at<T extends EventType>(
  id: number,
  timestampMs: number,
  type: T,
  payload: EventPayloads[T],
  source: number | null = null,
): HistoryEvent {
  const head = { event_id: id, source_event_id: source, instance_id: "i", execution_id: 2 };
  return {
    ...head,
    timestamp_ms: timestampMs,
    duroxide_version: "0.1.32",
    type,
    ...(payload as object),
  } as unknown as HistoryEvent;
}

function started(): HistoryEvent {
  return at(1, 1_000, "OrchestrationStarted", {
    name: "checkout",
    version: "1.0.0",
    input: "{}",
    parent_instance: null,
    parent_id: null,
    revision: { verb: "retry", of: 1, at_ms: AT_MS },
  });
}

function ran(startedAtMs: number) {
  return { started_at_ms: startedAtMs, worker_id: "w", attempt: 1 };
}

function stepsOf(...events: HistoryEvent[]) {
  return timelineOf(events)?.steps;
}

const charge = { name: "charge", input: "1" };
const DECLINED = { Application: { kind: "ActivityFailed", message: "declined", retryable: false } } as const;

describe("an activity that was queued again", () => {
  it("waits and takes from the change on, and not from its first call", () => {
    const steps = stepsOf(
      started(),
      at(2, 2_000, "ActivityScheduled", charge),
      at(3, 103_000, "ActivityCompleted", { result: "2", ran: ran(100_500) }, 2),
    );
    const scheduledAtMs = AT_MS;
    expect(steps).toMatchObject([
      { scheduledAtMs, endedAtMs: 103_000, attempts: [{ scheduledAtMs, ran: { startedAtMs: 100_500 } }] },
    ]);
  });

  it("is waited for since the change while it is open", () => {
    const timeline = timelineOf([started(), at(2, 2_000, "ActivityScheduled", charge)]);
    expect(timeline?.waits).toMatchObject([{ kind: "activity", sinceMs: AT_MS }]);
  });

  it("keeps the time of its call where an earlier attempt had ended", () => {
    const steps = stepsOf(
      started(),
      at(2, 2_000, "ActivityScheduled", { ...charge, attempt: 1 }),
      at(3, 3_000, "ActivityFailed", { details: DECLINED, ran: ran(2_500) }, 2),
      at(4, 4_000, "ActivityScheduled", { ...charge, attempt: 2, retry_of: 2 }),
      at(5, 103_000, "ActivityCompleted", { result: "2", ran: ran(100_500) }, 4),
    );
    expect(steps).toMatchObject([
      { scheduledAtMs: 2_000, attempts: [{ scheduledAtMs: 2_000 }, { scheduledAtMs: AT_MS }] },
    ]);
  });
});

describe("an activity that was not queued again keeps its time", () => {
  it("if it had ended before", () => {
    const steps = stepsOf(
      started(),
      at(2, 2_000, "ActivityScheduled", charge),
      at(3, 3_000, "ActivityCompleted", { result: "2", ran: ran(2_500) }, 2),
    );
    expect(steps).toMatchObject([{ scheduledAtMs: 2_000, attempts: [{ scheduledAtMs: 2_000 }] }]);
  });

  it("if its outcome was sent again", () => {
    const steps = stepsOf(
      started(),
      at(2, 2_000, "ActivityScheduled", charge),
      at(3, 100_010, "ActivityCompleted", { result: "2", ran: ran(2_500) }, 2),
    );
    expect(steps).toMatchObject([{ scheduledAtMs: 2_000, attempts: [{ scheduledAtMs: 2_000 }] }]);
  });

  it("if it was scheduled after the change", () => {
    const steps = stepsOf(started(), at(2, 101_000, "ActivityScheduled", charge));
    expect(steps).toMatchObject([{ scheduledAtMs: 101_000, attempts: [{ scheduledAtMs: 101_000 }] }]);
  });
});
