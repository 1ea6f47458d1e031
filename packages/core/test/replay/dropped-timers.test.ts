/** The timers that a turn drops: from history and from memory, with and without an end. */
import { expect, it } from "vitest";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import {
  added,
  type Body,
  engineTurn,
  history,
  type Line,
  nextTurn,
  STARTED,
} from "../support/engine-turn.ts";

const raised = (name: string): OrchestratorItem => ({
  kind: "ExternalRaised",
  instance: "i",
  name,
  data: "1",
});
const timer = (fire_at_ms: number): Line => ["TimerCreated", { fire_at_ms }];
const wait = (name: string): Line => ["ExternalSubscribed", { name }];
const arrived = (name: string): Line => ["ExternalEvent", { name, data: "1" }];
const lost = (timerId: number, fireAtMs: number) => ({ executionId: 1, timerId, fireAtMs });

const twoRaces: Body = async (ctx) => {
  await ctx.race([ctx.waitForEvent("a"), ctx.scheduleTimer(10)]);
  await ctx.race([ctx.waitForEvent("b"), ctx.scheduleTimer(20)]);
  return ctx.waitForEvent("end");
};
const FIRST = [STARTED, wait("a"), timer(5_010)];

it("the turn in which a race is decided drops its timer, and no later turn does", async () => {
  const first = await engineTurn(twoRaces, history(FIRST), [raised("a")]);
  expect(first.droppedTimers).toEqual([lost(3, 5_010)]);
  const second = await nextTurn(first, [raised("b")]);
  expect(second.droppedTimers.map((each) => "timerId" in each && each.timerId)).toEqual([6]);
  expect((await nextTurn(second, [raised("end")])).droppedTimers).toEqual([]);
});

it("a turn from history does not drop again what earlier turns dropped", async () => {
  const events = history([...FIRST, arrived("a"), wait("b"), timer(5_020)]);
  const turn = await engineTurn(twoRaces, events, [raised("b")]);
  expect(turn.droppedTimers).toEqual([lost(6, 5_020)]);
});

it("a timer that is made and dropped in one turn is in history, and has no message", async () => {
  const body: Body = async (ctx) => {
    await ctx.waitForEvent("go");
    ctx.scheduleTimer(10).cancel();
    return ctx.scheduleTimer(20);
  };
  const turn = await engineTurn(body, history([STARTED, wait("go")]), [raised("go")]);
  expect(added(turn)).toEqual(["ExternalEvent", "TimerCreated", "TimerCreated"]);
  expect(turn.droppedTimers).toEqual([]);
  expect(turn.orchestratorItems.map((item) => item.kind === "TimerFired" && item.id)).toEqual([5]);
});

it("a timer that fires in the turn that drops it is not dropped", async () => {
  const fired: OrchestratorItem = {
    kind: "TimerFired",
    instance: "i",
    execution_id: 1,
    id: 3,
    fire_at_ms: 5_010,
  };
  const turn = await engineTurn(twoRaces, history(FIRST), [raised("a"), fired]);
  expect(added(turn)).toContain("TimerFired of 3");
  expect(turn.droppedTimers).toEqual([]);
});

it("the end of an execution drops its open timers and the deadline", async () => {
  const body: Body = async (ctx) => {
    ctx.scheduleTimer(10);
    await ctx.race([ctx.waitForEvent("a"), ctx.scheduleTimer(20)]);
    ctx.scheduleTimer(30);
  };
  const [type, started] = STARTED as Extract<Line, readonly ["OrchestrationStarted", ...unknown[]]>;
  const withDeadline: Line = [type, { ...started, deadline_ms: 9_000 }];
  const events = history([withDeadline, timer(5_010), wait("a"), timer(5_020)]);
  const { end, droppedTimers } = await engineTurn(body, events, [raised("a")]);
  expect(end.kind).toBe("completed");
  expect(new Set(droppedTimers)).toEqual(new Set([lost(2, 5_010), lost(4, 5_020), { deadlineMs: 9_000 }]));
});

it("an execution that continues as new drops its timers and keeps the deadline", async () => {
  const body: Body = async (ctx) => {
    ctx.scheduleTimer(10);
    await ctx.waitForEvent("a");
    return ctx.continueAsNew("job", 1);
  };
  const [type, started] = STARTED as Extract<Line, readonly ["OrchestrationStarted", ...unknown[]]>;
  const events = history([[type, { ...started, deadline_ms: 9_000 }], timer(5_010), wait("a")]);
  const { end, droppedTimers } = await engineTurn(body, events, [raised("a")]);
  expect(end.kind).toBe("continued-as-new");
  expect(droppedTimers).toEqual([lost(2, 5_010)]);
});
