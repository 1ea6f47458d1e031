/** Attempts whose limit is a timer of history, as a version before recorded it (retry.Y5). */
import { describe, expect, it } from "vitest";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import { added, type Body, engineTurn, history, type Line, STARTED } from "../support/engine-turn.ts";

const scheduled = (input = "1"): Line => ["ActivityScheduled", { name: "a", input, attempt: 1 }];
const limit = (limit_of?: number): Line => [
  "TimerCreated",
  { fire_at_ms: 5_000, ...(limit_of !== undefined && { limit_of }) },
];
const fired = (id: number): OrchestratorItem => ({
  kind: "TimerFired",
  instance: "i",
  execution_id: 1,
  id,
  fire_at_ms: 5_000,
});
const completed = (id: number): OrchestratorItem => ({
  kind: "ActivityCompleted",
  instance: "i",
  execution_id: 1,
  id,
  result: `${id}`,
});
const raised = (name: string): OrchestratorItem => ({
  kind: "ExternalRaised",
  instance: "i",
  name,
  data: "1",
});

const limited: Body = async (ctx) => {
  const options = { timeout: 4_000, retry: { maxAttempts: 1 } };
  const end = await ctx.scheduleActivity("a", 1, options).catch((error: Error) => error.message);
  await ctx.waitForEvent("go");
  return end;
};
const TEXT = 'timeout: activity "a" did not end within 4000 ms';

describe.each([
  ["marked", 2],
  ["not marked", undefined],
] as const)("a limit that is %s", (_, of) => {
  const begun = [STARTED, scheduled(), limit(of)];

  it("ends the attempt when it fires, and history is as before", async () => {
    const turn = await engineTurn(limited, history(begun), [fired(3)]);
    expect(added(turn)).toEqual(["TimerFired of 3", "ExternalSubscribed", "ActivityCancelRequested of 2"]);
    expect(turn.cancelledActivities).toMatchObject([{ activityId: 2 }]);
  });

  it("that has fired replays", async () => {
    const events = history([
      ...begun,
      ["TimerFired", { fire_at_ms: 5_000 }, 3],
      ["ExternalSubscribed", { name: "go" }],
      ["ActivityCancelRequested", { reason: "dropped_future" }, 2],
    ]);
    expect((await engineTurn(limited, events, [raised("go")])).end).toMatchObject({
      output: JSON.stringify(TEXT),
    });
  });

  it("leaves with the attempt that ends in time", async () => {
    const turn = await engineTurn(limited, history(begun), [completed(2)]);
    expect(added(turn)).toEqual(["ActivityCompleted of 2", "ExternalSubscribed"]);
    expect(turn.droppedTimers).toEqual([{ executionId: 1, timerId: 3, fireAtMs: 5_000 }]);
  });
});

it("calls that were made together keep the order of their events", async () => {
  const body: Body = (ctx) =>
    ctx.all([1, 2].map((input) => ctx.scheduleActivity("a", input, { timeout: 4_000, retry: {} })));
  const events = history([STARTED, scheduled("1"), limit(2), scheduled("2"), limit(4)]);
  const turn = await engineTurn(body, events, [completed(4), completed(2)]);
  expect(turn.end).toMatchObject({ kind: "completed", output: "[2,4]" });
});

it("a new attempt has its limit in its event and its message, and no timer", async () => {
  const turn = await engineTurn(limited, history([STARTED]));
  expect(added(turn)).toEqual(["ActivityScheduled"]);
  expect(turn.delta[0]).toMatchObject({ timeout_ms: 4_000 });
  expect(turn.workerItems).toMatchObject([{ timeout_ms: 4_000 }]);
});

// retry.Y3
it("an attempt that has no number ends the retries by the rule of Rust", async () => {
  const body: Body = (ctx) => ctx.scheduleActivity("a", 1, { timeout: 4_000, retry: { maxAttempts: 3 } });
  const events = history([STARTED, ["ActivityScheduled", { name: "a", input: "1" }], limit()]);
  const { end } = await engineTurn(body, events, [fired(3)]);
  expect(end).toMatchObject({
    kind: "failed",
    details: { Application: { message: "timeout: activity timed out" } },
  });
});
