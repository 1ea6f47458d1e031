/** A timeline shows steps, attempts and waits from events alone. */
import { describe, expect, it } from "vitest";
import { type HistoryEvent, timelineOf } from "../../src/index.ts";
import type { ErrorDetails, EventPayloads, EventType } from "../../src/stores/index.ts";
import { recordedHistories } from "../wire/vectors.ts";

const DECLINED: ErrorDetails = {
  Application: { kind: "ActivityFailed", message: "declined", retryable: false },
};

/** Event n happens at 1,000 n ms. */
class History {
  readonly events: HistoryEvent[] = [];

  constructor() {
    this.add("OrchestrationStarted", {
      name: "checkout",
      version: "1.0.0",
      input: "{}",
      parent_instance: null,
      parent_id: null,
    });
  }

  add<T extends EventType>(type: T, payload: EventPayloads[T], source: number | null = null): number {
    const id = this.events.length + 1;
    const event = {
      event_id: id,
      source_event_id: source,
      instance_id: "i",
      execution_id: 1,
      timestamp_ms: id * 1_000,
      duroxide_version: "0.1.32",
      type,
      ...(payload as object),
    };
    this.events.push(event as unknown as HistoryEvent);
    return id;
  }

  activity(marks: Partial<EventPayloads["ActivityScheduled"]> = {}): number {
    return this.add("ActivityScheduled", { name: "charge", input: "1", ...marks });
  }

  get timeline() {
    const timeline = timelineOf(this.events);
    if (timeline === undefined) throw new Error("no timeline");
    return timeline;
  }
}

const RAN = { started_at_ms: 2_500, worker_id: "work-0-a", attempt: 2 };

describe("an execution", () => {
  it("is its start, its end and its payloads", () => {
    const history = new History();
    history.add("OrchestrationCompleted", { output: "7" });

    expect(history.timeline).toEqual({
      instanceId: "i",
      executionId: 1,
      orchestrationName: "checkout",
      orchestrationVersion: "1.0.0",
      status: "Completed",
      startedAtMs: 1_000,
      endedAtMs: 2_000,
      lastEventAtMs: 2_000,
      eventCount: 2,
      input: "{}",
      output: "7",
      steps: [],
      waits: [],
      unread: [],
      setAside: [],
    });
  });

  it("without events has no timeline", () => {
    expect(timelineOf([])).toBeUndefined();
  });

  it("that failed says why, and who asked for its end", () => {
    const history = new History();
    history.add("OrchestrationCancelRequested", { reason: "sold out" });
    history.add("OrchestrationFailed", { details: DECLINED });

    const { status, failure, cancelRequested } = history.timeline;
    expect({ status, failure, cancelRequested }).toEqual({
      status: "Failed",
      failure: DECLINED,
      cancelRequested: { reason: "sold out", atMs: 2_000 },
    });
  });
});

describe("an activity", () => {
  it("has its queue delay, its worker and its result", () => {
    const history = new History();
    const id = history.activity({ tag: "gpu", session_id: "s" });
    history.add("ActivityCompleted", { result: "2", ran: RAN }, id);

    const { steps, waits } = history.timeline;
    expect(waits).toEqual([]);
    expect(steps).toEqual([
      {
        kind: "activity",
        id: 2,
        name: "charge",
        tag: "gpu",
        session: "s",
        input: "1",
        scheduledAtMs: 2_000,
        endedAtMs: 3_000,
        outcome: "completed",
        result: "2",
        attempts: [
          {
            id: 2,
            number: 1,
            scheduledAtMs: 2_000,
            endedAtMs: 3_000,
            outcome: "completed",
            result: "2",
            ran: { startedAtMs: 2_500, workerId: "work-0-a", delivery: 2 },
          },
        ],
      },
    ]);
  });

  it("is one step with its retries, pauses and limits", () => {
    const history = new History();
    const first = history.activity({ attempt: 1, max_attempts: 3 });
    const limit = history.add("TimerCreated", { fire_at_ms: 9_000, limit_of: first });
    history.add("ActivityFailed", { details: DECLINED, ran: RAN }, first);
    const pause = history.add("TimerCreated", { fire_at_ms: 6_000, pause_after: first });
    history.add("TimerFired", { fire_at_ms: 6_000 }, pause);
    const second = history.activity({ attempt: 2, retry_of: first, max_attempts: 3 });
    history.add("TimerFired", { fire_at_ms: 9_000 }, limit);
    history.add("ActivityCompleted", { result: "2" }, second);

    expect(history.timeline.steps).toEqual([
      expect.objectContaining({
        id: 2,
        outcome: "completed",
        maxAttempts: 3,
        endedAtMs: 9_000,
        result: "2",
        failure: DECLINED,
        attempts: [
          expect.objectContaining({
            id: 2,
            number: 1,
            outcome: "failed",
            failure: DECLINED,
            limitAtMs: 9_000,
            pause: { fromMs: 5_000, untilMs: 6_000, endedAtMs: 6_000 },
          }),
          expect.objectContaining({ id: 7, number: 2, outcome: "completed" }),
        ],
      }),
    ]);
  });

  it("that pauses before a retry waits for the retry, and says what failed", () => {
    const history = new History();
    const first = history.activity({ attempt: 1, max_attempts: 3 });
    history.add("ActivityFailed", { details: DECLINED }, first);
    history.add("TimerCreated", { fire_at_ms: 60_000, pause_after: first });

    expect(history.timeline.waits).toEqual([
      {
        kind: "activity",
        stepId: 2,
        name: "charge",
        sinceMs: 2_000,
        attempt: 2,
        maxAttempts: 3,
        lastFailure: DECLINED,
        nextRetryAtMs: 60_000,
      },
    ]);
  });

  it("that runs under a limit waits until the limit at most", () => {
    const history = new History();
    const id = history.activity();
    history.add("TimerCreated", { fire_at_ms: 9_000, limit_of: id });

    expect(history.timeline.waits).toEqual([
      { kind: "activity", stepId: 2, name: "charge", sinceMs: 2_000, attempt: 1, dueAtMs: 9_000 },
    ]);
  });

  it("whose limit passed has timed out, although its drop is recorded after that", () => {
    const history = new History();
    const id = history.activity();
    const limit = history.add("TimerCreated", { fire_at_ms: 4_000, limit_of: id });
    history.add("TimerFired", { fire_at_ms: 4_000 }, limit);
    history.add("ActivityCancelRequested", { reason: "dropped_future" }, id);

    expect(history.timeline.steps).toMatchObject([{ outcome: "timed-out", endedAtMs: 4_000 }]);
  });

  it("that the code gave up is dropped", () => {
    const history = new History();
    const id = history.activity();
    history.add("ActivityCancelRequested", { reason: "dropped_future" }, id);

    expect(history.timeline).toMatchObject({ steps: [{ outcome: "dropped", endedAtMs: 3_000 }], waits: [] });
  });

  it("that pauses when the execution ends is dropped at that time", () => {
    const history = new History();
    const first = history.activity();
    history.add("ActivityFailed", { details: DECLINED }, first);
    history.add("TimerCreated", { fire_at_ms: 60_000, pause_after: first });
    history.add("OrchestrationCompleted", { output: "1" });

    expect(history.timeline).toMatchObject({ steps: [{ outcome: "dropped", endedAtMs: 5_000 }], waits: [] });
  });

  it("of a history without links is a step for each attempt, and a pause is a timer", () => {
    const history = new History();
    const first = history.activity();
    history.add("ActivityFailed", { details: DECLINED }, first);
    const pause = history.add("TimerCreated", { fire_at_ms: 5_000 });
    history.add("TimerFired", { fire_at_ms: 5_000 }, pause);
    history.activity();

    const { steps, waits } = history.timeline;
    expect(steps.map(({ kind, id, outcome }) => [kind, id, outcome])).toEqual([
      ["activity", 2, "failed"],
      ["timer", 4, "completed"],
      ["activity", 6, "open"],
    ]);
    expect(waits).toEqual([{ kind: "activity", stepId: 6, name: "charge", sinceMs: 6_000, attempt: 1 }]);
  });
});

describe("other calls", () => {
  it("are steps of their kinds", () => {
    const history = new History();
    const guid = history.activity({ name: "__duroxide_syscall:new_guid", input: "" });
    history.add("ActivityCompleted", { result: "g" }, guid);
    const timer = history.add("TimerCreated", { fire_at_ms: 5_000 });
    history.add("TimerFired", { fire_at_ms: 5_000 }, timer);
    const child = history.add("SubOrchestrationScheduled", { name: "ship", instance: "sub::6", input: "1" });
    history.add("SubOrchestrationFailed", { details: DECLINED }, child);
    history.add("OrchestrationChained", { name: "audit", instance: "audit-1", input: "2" });

    expect(history.timeline.steps).toEqual([
      {
        kind: "system",
        id: 2,
        name: "new_guid",
        scheduledAtMs: 2_000,
        endedAtMs: 3_000,
        outcome: "completed",
        result: "g",
      },
      { kind: "timer", id: 4, dueAtMs: 5_000, scheduledAtMs: 4_000, endedAtMs: 5_000, outcome: "completed" },
      {
        kind: "child",
        id: 6,
        name: "ship",
        childInstanceId: "i::sub::6",
        input: "1",
        scheduledAtMs: 6_000,
        endedAtMs: 7_000,
        outcome: "failed",
        failure: DECLINED,
      },
      {
        kind: "detached",
        id: 8,
        name: "audit",
        startedInstanceId: "audit-1",
        input: "2",
        scheduledAtMs: 8_000,
        endedAtMs: 8_000,
        outcome: "completed",
      },
    ]);
  });

  it("are waits while they are open, with what they wait for", () => {
    const history = new History();
    history.add("TimerCreated", { fire_at_ms: 90_000 });
    history.add("SubOrchestrationScheduled", { name: "ship", instance: "ship-1", input: "1" });
    history.add("ExternalSubscribed", { name: "approved" });
    history.add("ExternalSubscribedPersistent", { name: "approvals" });
    history.add("ExternalSubscribedPersistent", { name: "kept", kept_event: true });

    expect(history.timeline.waits).toEqual([
      { kind: "timer", stepId: 2, sinceMs: 2_000, dueAtMs: 90_000 },
      { kind: "child", stepId: 3, name: "ship", sinceMs: 3_000, childInstanceId: "ship-1" },
      { kind: "event", stepId: 4, name: "approved", sinceMs: 4_000 },
      { kind: "queue", stepId: 5, name: "approvals", sinceMs: 5_000 },
      { kind: "event", stepId: 6, name: "kept", sinceMs: 6_000, keep: true },
    ]);
  });
});

describe("an arrival", () => {
  it("answers the oldest open wait of its name", () => {
    const history = new History();
    history.add("ExternalSubscribed", { name: "a" });
    history.add("ExternalSubscribed", { name: "a" });
    history.add("ExternalEvent", { name: "a", data: "1" });

    const { steps, waits } = history.timeline;
    expect(steps).toMatchObject([
      { id: 2, outcome: "completed", data: "1", endedAtMs: 4_000 },
      { id: 3, outcome: "open" },
    ]);
    expect(waits.map(({ stepId }) => stepId)).toEqual([3]);
  });

  it("does not answer a wait whose drop is recorded after it", () => {
    const history = new History();
    const wait = history.add("ExternalSubscribed", { name: "a" });
    history.add("ExternalEvent", { name: "a", data: "1" });
    history.add("ExternalSubscribedCancelled", { reason: "dropped_future" }, wait);

    const { steps, unread } = history.timeline;
    expect(steps).toMatchObject([{ outcome: "dropped" }]);
    expect(unread).toEqual([{ kind: "event", id: 3, name: "a", data: "1", atMs: 3_000 }]);
  });

  it("of a queue is kept for a later read, and unread until then", () => {
    const history = new History();
    history.add("ExternalEventPersistent", { name: "q", data: "1" });
    history.add("ExternalEventPersistent", { name: "q", data: "2" });
    history.add("ExternalSubscribedPersistent", { name: "q" });

    const { steps, unread } = history.timeline;
    expect(steps).toMatchObject([{ id: 4, outcome: "completed", data: "1" }]);
    expect(unread.map(({ data }) => data)).toEqual(["2"]);
  });
});

describe("a history of Rust", () => {
  it.each(recordedHistories())("has a timeline: $name", ({ instances }) => {
    for (const { executions } of instances) {
      for (const { events } of executions) {
        const timeline = timelineOf(events as readonly HistoryEvent[]);
        expect(timeline?.eventCount).toBe(events.length);
        if (timeline?.status !== "Running") expect(timeline?.waits).toEqual([]);
      }
    }
  });
});
