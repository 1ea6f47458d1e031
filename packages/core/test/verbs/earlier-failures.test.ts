/** The failures of earlier turns that a retry takes out of a history (src/verbs/earlier-failures.ts). */
import { describe, expect, it } from "vitest";
import { cutBeforeFailure } from "../../src/verbs/cut.ts";
import type { ErrorDetails } from "../../src/wire/error-details.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";
import { history, type Line, STARTED } from "../support/engine-turn.ts";

const failed = (message: string, source: number): Line => [
  "ActivityFailed",
  { details: { Application: { kind: "ActivityFailed", message, retryable: false } } },
  source,
];
const ended = (message: string, thrown?: object): Line => [
  "OrchestrationFailed",
  {
    details: {
      Application: { kind: "OrchestrationFailed", message, retryable: false, ...(thrown && { thrown }) },
    } as ErrorDetails,
  },
];
const scheduled = (name: string, marks: object = {}): Line => [
  "ActivityScheduled",
  { name, input: "null", ...marks },
];
const completed = (source: number): Line => ["ActivityCompleted", { result: "null" }, source];

/** The ids of the kept events; the reason of a refusal. */
function keptOf(events: readonly HistoryEvent[]): readonly number[] | string {
  const cut = cutBeforeFailure(events);
  return "refused" in cut ? cut.refused : cut.kept.map(({ event_id }) => Number(event_id));
}

/** Calls 2 and 3 at once; what follows; the other branch goes on with calls 6 and 8, and the code fails at last. */
function branches(fourth: Line, fifth: Line, last: Line): HistoryEvent[] {
  const begun: Line[] = [STARTED, scheduled("pay"), scheduled("note")];
  const others: Line[] = [scheduled("note"), completed(6), scheduled("note"), completed(8), last];
  return history([...begun, fourth, fifth, ...others]);
}

describe("the failure of a call in an earlier turn is taken out", () => {
  it("where the execution failed with its message, whatever else was done since", () => {
    const events = branches(failed("no money", 2), completed(3), ended("no money"));
    expect(keptOf(events)).toEqual([1, 2, 3, 5, 6, 7, 8]);
  });

  it.each([
    ["wraps it", ended("order 5: no money")],
    ["has it as its cause", ended("order failed", { name: "Error", cause: { message: "no money" } })],
    [
      "has it among its errors",
      ended("failed", { name: "AggregateError", errors: [{ message: "x" }, { message: "no money" }] }),
    ],
  ])("where the failure of the execution %s", (_, last) => {
    expect(keptOf(branches(failed("no money", 2), completed(3), last))).toEqual([1, 2, 3, 5, 6, 7, 8]);
  });

  it("where the last turn received another failure, which did not end the execution and is sent again", () => {
    const begun: Line[] = [STARTED, scheduled("pay"), scheduled("note"), failed("no money", 2), completed(3)];
    const cut = cutBeforeFailure(
      history([...begun, scheduled("note"), failed("no paper", 6), ended("no money")]),
    );
    expect(cut).toMatchObject({ kept: [1, 2, 3, 5, 6].map((event_id) => ({ event_id })) });
    expect(cut).toMatchObject({ resent: [{ event_id: 7 }] });
  });

  it("where another call failed in its turn and was tried again by its policy", () => {
    const pause: Line = ["TimerCreated", { fire_at_ms: 1, pause_after: 3 }];
    const fired: Line = ["TimerFired", { fire_at_ms: 1 }, 6];
    const begun: Line[] = [STARTED, scheduled("pay"), scheduled("note", { max_attempts: 2 })];
    const events = [failed("no money", 2), failed("no paper", 3), pause, fired];
    const again = scheduled("note", { retry_of: 3 });
    const last = [failed("no paper", 8), ended("no money")];
    expect(keptOf(history([...begun, ...events, again, ...last]))).toEqual([1, 2, 3, 5, 6, 7, 8]);
  });

  it("but not that of an attempt which the code has repeated (earlier-failures.F2)", () => {
    const events = history([
      STARTED,
      scheduled("pay", { max_attempts: 2 }),
      scheduled("note"),
      failed("no money", 2),
      completed(3),
      ["TimerCreated", { fire_at_ms: 2_000, pause_after: 2 }],
      scheduled("note"),
      ["TimerFired", { fire_at_ms: 2_000 }, 6],
      scheduled("pay", { attempt: 2, retry_of: 2 }),
      failed("no money", 9),
      completed(7),
      scheduled("note"),
      completed(12),
      ended("no money"),
    ]);
    expect(keptOf(events)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12]);
  });
});

it("an attempt that was repeated is no failure that the code has reacted to", () => {
  const events = history([
    STARTED,
    scheduled("pay"),
    failed("no money", 2),
    scheduled("pay", { retry_of: 2 }),
    completed(4),
    scheduled("note"),
    failed("no paper", 6),
    ended("no money for paper"),
  ]);
  expect(keptOf(events)).toEqual([1, 2, 3, 4, 5, 6]);
});

describe("the retry is refused", () => {
  const BY_CODE = /its code failed/;

  it("where the execution failed with another message (earlier-failures.F1)", () => {
    expect(keptOf(branches(failed("no money", 2), completed(3), ended("a mistake")))).toMatch(BY_CODE);
  });

  it("where a failure without a message was caught (earlier-failures.F1)", () => {
    expect(keptOf(branches(failed("", 2), completed(3), ended("a mistake")))).toMatch(BY_CODE);
  });

  it("where the code did something when it received the failure alone (earlier-failures.F2)", () => {
    const events = history([
      STARTED,
      scheduled("pay"),
      failed("no money", 2),
      scheduled("refund"),
      completed(4),
      ended("no money"),
    ]);
    expect(keptOf(events)).toMatch(/event 3 .* rewind it to event 2/);
  });

  it("where the last turn received another failure, which would only fail again (earlier-failures.F2)", () => {
    const events = history([
      STARTED,
      scheduled("pay"),
      scheduled("slow"),
      scheduled("note"),
      failed("no money", 2),
      ["ActivityCancelRequested", { reason: "dropped_future" }, 3],
      failed("no paper", 4),
      ended("no money"),
    ]);
    expect(keptOf(events)).toMatch(/event 5 .* rewind it to event 4/);
  });

  it("where the code dropped calls when it received the failure (earlier-failures.F2)", () => {
    const events = history([
      STARTED,
      scheduled("pay"),
      scheduled("note"),
      scheduled("slow"),
      failed("no money", 2),
      completed(3),
      scheduled("note"),
      ["ActivityCancelRequested", { reason: "dropped_future" }, 4],
      completed(7),
      ended("no money"),
    ]);
    expect(keptOf(events)).toMatch(/event 5 .* rewind it to event 4/);
  });
});
