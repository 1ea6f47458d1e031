/** The invariants live-execution.L1 to live-execution.L5: when code runs, and what becomes of its calls. */
import { describe, expect, test } from "vitest";
import { displayMessage } from "../../src/wire/error-details.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import { type Body, engineTurn, history, nextTurn, STARTED } from "../support/engine-turn.ts";

const STARTED_ONLY = history([STARTED]);

const completed = (id: number, result: string): OrchestratorItem => ({
  kind: "ActivityCompleted",
  instance: "i",
  execution_id: 1,
  id,
  result: JSON.stringify(result),
});

/** One call of each kind, of which the code awaits two. */
const allKinds: Body = async (ctx) => {
  ctx.setCustomStatus("busy");
  ctx.kv.set("key", 1);
  ctx.kv.delete("other");
  ctx.startOrchestration("audit", { instanceId: "audit" });
  void ctx.waitForEvent("go");
  void ctx.dequeue("box");
  void ctx.scheduleTimer(1_000);
  void ctx.scheduleSubOrchestration("child", 1);
  const first = await ctx.scheduleActivity("first", 1);
  ctx.kv.clear();
  return [first, await ctx.scheduleActivity("second", 2)];
};

test("live-execution.L1: a call between two turns is refused, and the next turn ends with it", async () => {
  const foreign = Promise.withResolvers<void>();
  const refused: unknown[] = [];
  const first = await engineTurn(async (ctx) => {
    void foreign.promise.then(() => ctx.scheduleActivity("late", 1)).catch((error) => refused.push(error));
    await ctx.scheduleActivity("first", 1);
  }, STARTED_ONLY);
  foreign.resolve();
  await new Promise(setImmediate);
  expect(refused).toMatchObject([{ code: "outside-turn" }]);
  const { end, workerItems } = await nextTurn(first, [completed(2, "done")]);
  expect(end.kind === "failed" && displayMessage(end.details)).toContain("came while no turn was running");
  expect(workerItems).toEqual([]);
});

test("live-execution.L2: what one turn has recorded a replay matches, and records nothing of it again", async () => {
  const first = await engineTurn(allKinds, STARTED_ONLY);
  expect(first.delta.map(({ type }) => type)).toEqual([
    "CustomStatusUpdated",
    "KeyValueSet",
    "KeyValueCleared",
    "OrchestrationChained",
    "ExternalSubscribed",
    "ExternalSubscribedPersistent",
    "TimerCreated",
    "SubOrchestrationScheduled",
    "ActivityScheduled",
  ]);
  const again = await engineTurn(allKinds, [...STARTED_ONLY, ...first.delta]);
  expect(again).toMatchObject({
    delta: [],
    workerItems: [],
    orchestratorItems: [],
    end: { kind: "running" },
  });
});

// turn.T2
test("live-execution.L3: after a turn nothing is left unrecorded, and memory goes on as a replay does", async () => {
  const first = await engineTurn(allKinds, STARTED_ONLY);
  expect(first.end.kind === "running" && [...first.end.memory.live.emittedActions]).toEqual([]);
  const answer = [completed(10, "done")];
  const replayed = await engineTurn(allKinds, [...STARTED_ONLY, ...first.delta], answer);
  const kept = await nextTurn(first, answer);
  expect(kept.delta).toEqual(replayed.delta);
  expect(kept.workerItems).toEqual(replayed.workerItems);
  expect(kept.delta.map(({ type }) => type)).toEqual([
    "ActivityCompleted",
    "KeyValuesCleared",
    "ActivityScheduled",
  ]);
});

test.each([
  [[2, 3], "left"],
  [[3, 2], "right"],
])("live-execution.L4: of answers %j in one batch the first decides the race", async (order, winner) => {
  const race: Body = async (ctx) => {
    const { value } = await ctx.race([ctx.scheduleActivity("left", 1), ctx.scheduleActivity("right", 1)]);
    return value;
  };
  const first = await engineTurn(race, STARTED_ONLY);
  const answers = order.map((id) => completed(id, id === 2 ? "left" : "right"));
  const { end } = await nextTurn(first, answers);
  expect(end).toMatchObject({ kind: "completed", output: JSON.stringify(winner) });
  const replayed = await engineTurn(race, [...STARTED_ONLY, ...first.delta], answers);
  expect(replayed.end).toMatchObject({ kind: "completed", output: JSON.stringify(winner) });
});

describe.each(["returns", "throws", "calls"])(
  "live-execution.L5: a cancelled handler that goes on and %s",
  (how) => {
    /** `begins` is called at the beginning of the clean-up. */
    const cleansUp =
      (goesOn: PromiseWithResolvers<void>, begins: () => void): Body =>
      async (ctx) => {
        ctx.onCancel(async (clean) => {
          begins();
          await clean.scheduleActivity("undo", 1);
        });
        await Promise.race([goesOn.promise, ctx.waitForEvent("never")]);
        if (how === "throws") throw new Error("too late");
        return how === "calls" ? ctx.scheduleActivity("late", 1) : "done";
      };

    async function cancelled(body: Body, afterCancel: () => Promise<void>): Promise<void> {
      const waiting = await engineTurn(body, STARTED_ONLY);
      const undoing = await nextTurn(waiting, [{ kind: "CancelInstance", instance: "i", reason: "rain" }]);
      expect(undoing.workerItems).toMatchObject([{ name: "undo" }]);
      await afterCancel();
      const { end, workerItems } = await nextTurn(undoing, [completed(4, "undone")]);
      expect(end.kind === "failed" && displayMessage(end.details)).toBe("canceled: rain");
      expect(workerItems).toEqual([]);
    }

    test("in the turn that begins the clean-up does not disturb it", async () => {
      const goesOn = Promise.withResolvers<void>();
      await cancelled(cleansUp(goesOn, goesOn.resolve), async () => {});
    });

    test("between two turns of the clean-up does not disturb it", async () => {
      const goesOn = Promise.withResolvers<void>();
      await cancelled(
        cleansUp(goesOn, () => {}),
        async () => {
          goesOn.resolve();
          await new Promise(setImmediate);
        },
      );
    });
  },
);
