/** The facts about a history that a turn needs (history-index.H1, history-index.H2). */
import { expect, test } from "vitest";
import { ACTIVITY } from "../../src/replay/calls/activity.ts";
import { CALLS } from "../../src/replay/calls/table.ts";
import { HistoryIndex } from "../../src/replay/history/history-index.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import { type Body, engineTurn, history, type Line, nextTurn, STARTED } from "../support/engine-turn.ts";

const activity: Line = ["ActivityScheduled", { name: "a", input: "1" }];
const completed: Line = ["ActivityCompleted", { result: "1" }, 2];

const openCalls = (lines: readonly Line[]): readonly unknown[] =>
  HistoryIndex.of(history(lines))
    .open(ACTIVITY)
    .map(({ id }) => id);

const factsOf = (index: HistoryIndex) => ({
  nextEventId: index.nextEventId,
  eventCount: index.eventCount,
  scheduleCount: index.scheduleCount,
  cancelReason: index.cancelReason,
  open: CALLS.flatMap((kind) => index.open(kind)),
});

test("the index of an execution in memory is that of its whole history (history-index.H1)", async () => {
  const body: Body = async (ctx) => {
    void ctx.waitForEvent("never");
    await ctx.race([ctx.scheduleActivity("a", 1), ctx.scheduleActivity("b", 2)]);
    await ctx.scheduleActivity("c", 3);
  };
  const answer: OrchestratorItem = {
    kind: "ActivityCompleted",
    instance: "i",
    execution_id: 1,
    id: 3,
    result: "1",
  };
  const first = await engineTurn(body, history([STARTED]));
  const second = await nextTurn(first, [answer]);
  if (second.end.kind !== "running") throw new Error(`it ${second.end.kind}`);
  const whole = HistoryIndex.of([...history([STARTED]), ...first.delta, ...second.delta]);
  expect(factsOf(whole)).toMatchObject({ open: [{ name: "c" }, { name: "never" }] });
  expect(factsOf(second.end.memory.index)).toEqual(factsOf(whole));
});

test("a call is open until its first answer or its cancel event (history-index.H2)", () => {
  const cancelled: Line = ["ActivityCancelRequested", { reason: "dropped_future" }, 2];
  expect(openCalls([STARTED, activity])).toEqual([2]);
  expect(openCalls([STARTED, activity, completed])).toEqual([]);
  expect(openCalls([STARTED, activity, cancelled])).toEqual([]);
  expect(openCalls([STARTED, activity, completed, activity])).toEqual([4]);
});
