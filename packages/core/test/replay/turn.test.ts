/** The engine on histories as they are, and as they should never be. */
import { describe, expect, it } from "vitest";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";
import {
  applicationFailure,
  infrastructureFailure,
  nondeterminism,
} from "../../src/errors/failure-details.ts";
import { displayMessage, type ErrorDetails } from "../../src/wire/error-details.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import { added, type Body, engineTurn, history, type Line, STARTED } from "../support/engine-turn.ts";

const activity = (name = "a", input = "1"): Line => ["ActivityScheduled", { name, input }];
const completed = (source: number, result = "1"): Line => ["ActivityCompleted", { result }, source];
const timer: Line = ["TimerCreated", { fire_at_ms: 5 }];
const fired = (source: number): Line => ["TimerFired", { fire_at_ms: 5 }, source];
const child: Line = ["SubOrchestrationScheduled", { name: "c", instance: "sub::2", input: "1" }];
const childCompleted = (source: number): Line => ["SubOrchestrationCompleted", { result: "1" }, source];

const callA: Body = (ctx) => ctx.scheduleActivity("a", 1);
const callAThenWait: Body = async (ctx) => {
  const value = await ctx.scheduleActivity("a", 1);
  return [value, await ctx.waitForEvent("go")];
};
const message = (
  kind: "ActivityCompleted",
  id: number,
  result = "1",
  execution_id = 1,
): OrchestratorItem => ({
  kind,
  instance: "i",
  execution_id,
  id,
  result,
});

async function failureOf(body: Body, lines: readonly Line[], messages: readonly OrchestratorItem[] = []) {
  const { end } = await engineTurn(body, history(lines), messages);
  return end.kind === "failed" ? displayMessage(end.details) : `it ${end.kind}`;
}

describe("a history that is not one", () => {
  it("is empty", async () => {
    expect(await failureOf(callA, [])).toBe("nondeterministic: corrupted history: empty");
  });

  it.each([[[activity()]], [[activity(), STARTED]]])("does not begin with the start", async (lines) => {
    expect(await failureOf(callA, lines)).toContain("first event must be OrchestrationStarted");
  });

  // open-calls.OC2
  const corrupt: Readonly<Record<string, readonly [body: Body, ...lines: Line[]]>> = {
    "has a completion before its schedule": [callA, STARTED, completed(3), activity()],
    "has a completion of nothing": [callA, STARTED, activity(), completed(9)],
    "has a timer fired that was not created": [callA, STARTED, activity(), fired(9)],
    "has a child completed that was not scheduled": [callA, STARTED, activity(), childCompleted(9)],
    "completes a timer as an activity": [(ctx) => ctx.scheduleTimer(1), STARTED, timer, completed(2)],
    "completes a call twice": [callAThenWait, STARTED, activity(), completed(2), completed(2)],
    "fails a call that was completed": [
      callAThenWait,
      STARTED,
      activity(),
      completed(2),
      ["ActivityFailed", { details: applicationFailure("ActivityFailed", "late") }, 2],
    ],
    "fires a timer twice": [
      async (ctx) => [await ctx.scheduleTimer(1), await ctx.waitForEvent("go")],
      STARTED,
      timer,
      fired(2),
      fired(2),
    ],
    "completes a child twice": [
      async (ctx) => [await ctx.scheduleSubOrchestration("c", 1), await ctx.waitForEvent("go")],
      STARTED,
      child,
      childCompleted(2),
      childCompleted(2),
    ],
    "schedules one call twice": [callA, STARTED, activity(), activity()],
    "creates one timer twice": [(ctx) => ctx.scheduleTimer(1), STARTED, timer, timer],
    "subscribes one wait twice": [
      (ctx) => ctx.waitForEvent("e"),
      STARTED,
      ["ExternalSubscribed", { name: "e" }],
      ["ExternalSubscribed", { name: "e" }],
    ],
    "has a detached start that the code does not make": [
      callA,
      STARTED,
      ["OrchestrationChained", { name: "d", instance: "x", input: "null" }],
      activity(),
    ],
  };

  it.each(Object.entries(corrupt))("%s", async (_what, [body, ...lines]) => {
    expect(await failureOf(body, lines)).toMatch(/^nondeterministic: /);
  });
});

describe("a history with oddities", () => {
  it("may have gaps in its ids: new ones continue after the highest", async () => {
    const events = history([STARTED, activity(), completed(7)], [1, 7, 20]);
    const { delta, end } = await engineTurn(callA, events);

    expect(end).toMatchObject({ kind: "completed", output: "1" });
    expect(delta[0]?.event_id).toBe(21);
  });

  it("may have any text for names and payloads", async () => {
    for (const text of ["активность 🌍", "a\n\"'\\\u0000", "x".repeat(1_000)]) {
      const lines: Line[] = [
        STARTED,
        activity(text, JSON.stringify(text)),
        completed(2, JSON.stringify(text)),
      ];
      const { end } = await engineTurn((ctx) => ctx.scheduleActivity(text, text), history(lines));
      expect(end).toMatchObject({ kind: "completed", output: JSON.stringify(text) });
    }
  });

  it("may have an event without a wait", async () => {
    const lines: Line[] = [STARTED, ["ExternalEvent", { name: "e", data: "1" }]];
    const { end } = await engineTurn((ctx) => ctx.waitForEvent("e"), history(lines));

    expect(end.kind).toBe("running");
  });

  it("may ask for a cancellation more than once", async () => {
    const lines: Line[] = [
      STARTED,
      activity(),
      ["ActivityCancelRequested", { reason: "dropped_future" }, 2],
      ["ActivityCancelRequested", { reason: "dropped_future" }, 2],
    ];
    const body: Body = async (ctx) => {
      ctx.scheduleActivity("a", 1).cancel();
      await ctx.waitForEvent("go");
    };
    const result = await engineTurn(body, history(lines));

    expect(added(result)).toEqual(["ExternalSubscribed"]);
    expect(result.cancelledActivities).toEqual([]);
  });
});

describe("messages", () => {
  const waiting = [STARTED, activity(), ["TimerCreated", { fire_at_ms: 5 }]] satisfies Line[];
  const both: Body = (ctx) => ctx.all([ctx.scheduleActivity("a", 1), ctx.scheduleTimer(1)]);

  // turn.T5, receive-messages.V1
  it("become events in their order, before anything new", async () => {
    const result = await engineTurn(
      async (ctx) => {
        await both(ctx, null);
        await ctx.scheduleActivity("b", 2);
      },
      history(waiting),
      [
        { kind: "TimerFired", instance: "i", execution_id: 1, id: 3, fire_at_ms: 5 },
        message("ActivityCompleted", 2),
      ],
    );

    expect(added(result)).toEqual(["TimerFired of 3", "ActivityCompleted of 2", "ActivityScheduled"]);
    expect(result.workerItems).toMatchObject([{ name: "b", id: 6 }]);
  });

  // receive-messages.V1
  it("that repeat one another count once, the first of them", async () => {
    const result = await engineTurn(callA, history([STARTED, activity()]), [
      message("ActivityCompleted", 2, "1"),
      message("ActivityCompleted", 2, "2"),
    ]);

    expect(result.end).toMatchObject({ kind: "completed", output: "1" });
    expect(added(result)).toEqual(["ActivityCompleted of 2", "OrchestrationCompleted"]);
    expect(result.discarded).toHaveLength(1);
  });

  it("for another execution are dropped", async () => {
    const result = await engineTurn(callA, history([STARTED, activity()]), [
      message("ActivityCompleted", 2, "1", 5),
    ]);

    expect(result.end.kind).toBe("running");
    expect(added(result)).toEqual([]);
  });

  const mismatched: readonly (readonly [OrchestratorItem, Line])[] = [
    [{ kind: "TimerFired", instance: "i", execution_id: 1, id: 2, fire_at_ms: 5 }, activity()],
    [message("ActivityCompleted", 2), timer],
    [message("ActivityCompleted", 2), child],
    [
      { kind: "SubOrchCompleted", parent_instance: "i", parent_execution_id: 1, parent_id: 2, result: "1" },
      activity(),
    ],
    [
      { kind: "SubOrchCompleted", parent_instance: "i", parent_execution_id: 1, parent_id: 2, result: "1" },
      timer,
    ],
  ];

  it.each(mismatched)("of the wrong kind end the execution: %j", async (item, line) => {
    const failure = await failureOf(() => new Promise(() => {}), [STARTED, line], [item]);

    expect(failure).toMatch(/^nondeterministic: completion kind mismatch for id=2/);
  });

  const systemFailures: readonly ErrorDetails[] = [
    infrastructureFailure("fetch", "broken"),
    nondeterminism("diverged"),
    {
      Poison: {
        attempt_count: 2,
        max_attempts: 1,
        message_type: { Activity: { instance: "i", execution_id: 1, activity_name: "a", activity_id: 2 } },
        message: "{}",
        never_ran: true,
      },
    },
  ];

  it.each(systemFailures)("with a failure of the system never reach the code: %j", async (details) => {
    let ran = false;
    const body: Body = async (ctx) => {
      ran = true;
      await ctx.scheduleActivity("a", 1).catch(() => {});
    };
    const result = await engineTurn(body, history([STARTED, activity()]), [
      { kind: "ActivityFailed", instance: "i", execution_id: 1, id: 2, details },
    ]);

    expect(result.end).toMatchObject({ kind: "failed", details });
    expect(added(result)).toEqual(["ActivityFailed of 2", "OrchestrationFailed"]);
    expect(ran).toBe(false);
  });

  it("of a cancellation beat what the code does, and are recorded once", async () => {
    const cancel: OrchestratorItem = { kind: "CancelInstance", instance: "i", reason: "enough" };
    const result = await engineTurn(callA, history([STARTED, activity()]), [
      message("ActivityCompleted", 2),
      cancel,
      cancel,
    ]);

    expect(added(result)).toEqual([
      "ActivityCompleted of 2",
      "OrchestrationCancelRequested",
      "OrchestrationFailed",
    ]);
  });
});

describe("a turn that goes on", () => {
  it.each<readonly [string, Line, (ctx: OrchestrationContext) => unknown]>([
    ["an activity", activity(), (ctx) => ctx.scheduleActivity("a", 1)],
    ["a timer", timer, (ctx) => ctx.scheduleTimer(1)],
    ["an event", ["ExternalSubscribed", { name: "e" }], (ctx) => ctx.waitForEvent("e")],
    ["a message", ["ExternalSubscribedPersistent", { name: "q" }], (ctx) => ctx.dequeue("q")],
    ["a child", child, (ctx) => ctx.scheduleSubOrchestration("c", 1)],
  ])("while %s is awaited adds nothing", async (_what, line, body) => {
    const result = await engineTurn(body, history([STARTED, line]));

    expect(result.end.kind).toBe("running");
    expect(result.delta).toEqual([]);
    expect([...result.workerItems, ...result.orchestratorItems]).toEqual([]);
  });

  it("takes a child's id from history, not from the code", async () => {
    const recorded: Line = ["SubOrchestrationScheduled", { name: "c", instance: "sub::old_7", input: "1" }];
    const lines = [STARTED, recorded];
    const cancelled = await engineTurn(
      async (ctx) => {
        const task = ctx.scheduleSubOrchestration("c", 1);
        await ctx.scheduleTimer(1).catch(() => {});
        task.cancel();
        await ctx.waitForEvent("go");
      },
      history([...lines, timer]),
      [{ kind: "TimerFired", instance: "i", execution_id: 1, id: 3, fire_at_ms: 5 }],
    );

    expect(cancelled.orchestratorItems).toMatchObject([
      { kind: "CancelInstance", instance: "i::sub::old_7" },
    ]);
  });

  // history-index.H2, receive-messages.V2, open-calls.OC1: the
  // code has dropped the call.
  it("does not cancel again what history has cancelled", async () => {
    const lines: Line[] = [
      STARTED,
      activity(),
      timer,
      fired(3),
      ["ExternalSubscribed", { name: "go" }],
      ["ActivityCancelRequested", { reason: "dropped_future" }, 2],
    ];
    const body: Body = async (ctx) => {
      await ctx.race([ctx.scheduleActivity("a", 1), ctx.scheduleTimer(1)]);
      await ctx.waitForEvent("go");
    };
    const result = await engineTurn(body, history(lines), [message("ActivityCompleted", 2)]);

    expect(added(result)).toEqual(["ActivityCompleted of 2"]);
    expect(result.cancelledActivities).toEqual([]);
  });

  // context.X4
  it("knows whether its code has run before", async () => {
    const seen: boolean[] = [];
    const body: Body = async (ctx) => {
      seen.push(ctx.isReplaying);
      await ctx.scheduleActivity("a", 1);
      seen.push(ctx.isReplaying);
      await ctx.scheduleActivity("b", 1);
      seen.push(ctx.isReplaying);
    };
    const lines = [STARTED, activity("a"), completed(2), activity("b")];
    await engineTurn(body, history(lines), [message("ActivityCompleted", 4)]);

    expect(seen).toEqual([true, true, false]);
  });

  it("joins more than a thousand completed children", async () => {
    const count = 1_100;
    const lines: Line[] = [
      STARTED,
      ...Array.from({ length: count }, () => child),
      ...Array.from({ length: count }, (_, index) => childCompleted(index + 2)),
    ];
    const body: Body = async (ctx) =>
      (await ctx.all(Array.from({ length: count }, () => ctx.scheduleSubOrchestration("c", 1)))).length;
    const { end } = await engineTurn(body, history(lines));

    expect(end).toMatchObject({ kind: "completed", output: String(count) });
  });
});
