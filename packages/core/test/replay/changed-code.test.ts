/**
 * Code that ends, or drops calls, where its history says that it went on: the engine and the replay kit agree
 * (emitted-actions.E2, record-drops.D2 and record-drops.D3).
 */
import { describe, expect, it } from "vitest";
import { orchestration } from "../../src/define/definitions.ts";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";
import { ReplayDivergenceError, replay } from "../../src/testing/index.ts";
import { displayMessage } from "../../src/wire/error-details.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import { type Body, engineTurn, history, type Line, STARTED } from "../support/engine-turn.ts";

const activity = (name: string, input = "1"): Line => ["ActivityScheduled", { name, input }];
const completed = (source: number, result = "1"): Line => ["ActivityCompleted", { result }, source];
const timer: Line = ["TimerCreated", { fire_at_ms: 5 }];
const waits: Line = ["ExternalSubscribed", { name: "go" }];
const status: Line = ["CustomStatusUpdated", { status: '"s"' }];
const gaveUpActivity = (source: number): Line => [
  "ActivityCancelRequested",
  { reason: "dropped_future" },
  source,
];

const raised: OrchestratorItem = { kind: "ExternalRaised", instance: "i", name: "go", data: "1" };

async function engineSays(body: Body, lines: readonly Line[], messages: readonly OrchestratorItem[] = []) {
  const { end } = await engineTurn(body, history(lines), messages);
  return end.kind === "failed" ? displayMessage(end.details) : end.kind;
}

async function kitSays(body: Body, lines: readonly Line[]): Promise<string> {
  const orchestrations = [orchestration("job", (ctx, input: unknown) => body(ctx, input))];
  try {
    await replay(history(lines), { orchestrations });
    return "fits";
  } catch (error) {
    if (error instanceof ReplayDivergenceError) return error.message;
    throw error;
  }
}

describe("code that ends earlier than its history", () => {
  const next: Readonly<Record<string, readonly [line: Line, text: string]>> = {
    activity: [activity("b", '"in"'), 'event 4 ActivityScheduled "b" with input "in"'],
    timer: [timer, "event 4 TimerCreated"],
    wait: [waits, 'event 4 ExternalSubscribed "go"'],
    dequeue: [
      ["ExternalSubscribedPersistent", { name: "box" }],
      'event 4 ExternalSubscribedPersistent "box"',
    ],
    child: [
      ["SubOrchestrationScheduled", { name: "c", instance: "sub::4", input: "1" }],
      'event 4 SubOrchestrationScheduled "c" with input 1',
    ],
    "detached start": [
      ["OrchestrationChained", { name: "d", instance: "other", input: "1" }],
      'event 4 OrchestrationChained "d" with input 1, instance "other"',
    ],
  };
  const ends: Readonly<Record<string, readonly [body: Body, text: string]>> = {
    returns: [async (ctx) => ctx.scheduleActivity("a", 1), "the code has returned"],
    throws: [
      async (ctx) => {
        await ctx.scheduleActivity("a", 1);
        throw new TypeError("order is not a function");
      },
      "the code has thrown TypeError: order is not a function (packages/core/test/replay/changed-code.test.ts:",
    ],
    "continues as new": [
      async (ctx) => {
        await ctx.scheduleActivity("a", 1);
        return ctx.continueAsNew("job", 1);
      },
      "the code continues as new",
    ],
  };
  const cases = Object.entries(ends).flatMap(([end, [body, state]]) =>
    Object.entries(next).map(([kind, [line, text]]) => ({ end, kind, body, line, state, text })),
  );

  it.each(cases)(
    "$end before a recorded $kind: the message names it",
    async ({ body, line, state, text }) => {
      const lines = [STARTED, activity("a"), completed(2), line];
      const message = await engineSays(body, lines);
      expect(message).toMatch(/^nondeterministic: /);
      expect(message).toContain(state);
      expect(message).toContain(`history has ${text}`);
      expect(await kitSays(body, lines)).toContain("history and code differ at event 4");
    },
  );

  it("is named by the first call that it does not make", async () => {
    const lines = [STARTED, activity("a"), completed(2), status, activity("b"), activity("c")];
    const message = await engineSays(async (ctx) => ctx.scheduleActivity("a", 1), lines);
    expect(message).toContain('event 5 ActivityScheduled "b"');
  });

  it("is found when a message comes, too", async () => {
    const lines = [STARTED, waits];
    expect(await engineSays(async () => "early", lines, [raised])).toMatch(/^nondeterministic: /);
  });

  it("may leave unawaited what it still asks for", async () => {
    const body: Body = async (ctx) => {
      void ctx.waitForEvent("go");
      return "early";
    };
    expect(await engineSays(body, [STARTED, waits])).toBe("completed");
    expect(await kitSays(body, [STARTED, waits])).toBe("fits");
  });

  it("may end before answers that history has", async () => {
    const body: Body = async (ctx) => {
      void ctx.scheduleActivity("a", 1);
      return "early";
    };
    const lines = [STARTED, activity("a"), completed(2), status];
    expect(await engineSays(body, lines)).toBe("completed");
  });
});

describe("a race", () => {
  const race = (keep: boolean): Body => {
    return async (ctx: OrchestrationContext) => {
      await ctx.race([ctx.scheduleActivity("slow", 1), ctx.scheduleActivity("fast", 1)], { keep });
      return ctx.waitForEvent("go");
    };
  };
  const begun = [STARTED, activity("slow"), activity("fast"), completed(3)];
  const plain = [...begun, waits, gaveUpActivity(2)];
  const kept = [...begun, waits];

  it("fits the history that it made", async () => {
    expect(await engineSays(race(false), plain)).toBe("running");
    expect(await kitSays(race(false), plain)).toBe("fits");
    expect(await engineSays(race(true), kept)).toBe("running");
    expect(await kitSays(race(true), kept)).toBe("fits");
  });

  it("that keeps its losers now is found, also where the function ends in that turn", async () => {
    expect(await engineSays(race(true), plain, [raised])).toContain(
      "cancellation mismatch (activities): history gave up 2, the code does not",
    );
    expect(await engineSays(race(true), plain)).toContain("history gave up 2");
    expect(await kitSays(race(true), plain)).toContain("history gave up 2");
  });

  it("that gives up its losers now is found", async () => {
    const text = "cancellation mismatch (activities): the code gave up 2, history does not";
    expect(await engineSays(race(false), kept)).toContain(text);
    expect(await engineSays(race(false), kept, [raised])).toContain(text);
    expect(await kitSays(race(false), kept)).toContain(text);
  });
});

describe("the message of a difference", () => {
  const first = async (body: Body, line: Line): Promise<string> => engineSays(body, [STARTED, line]);

  it("has sessions and tags", async () => {
    const body: Body = async (ctx) => ctx.scheduleActivity("a", 1, { session: "new", tag: "gpu" });
    const line: Line = ["ActivityScheduled", { name: "a", input: "1", session_id: "old" }];
    const message = await first(body, line);
    expect(message).toContain('the code asks for activity "a" with input 1, session "new", tag "gpu" (');
    expect(message).toContain('history has event 2 ActivityScheduled "a" with input 1, session "old"');
  });

  it("has the values of entries", async () => {
    const line: Line = ["KeyValueSet", { key: "k", value: "1", last_updated_at_ms: 0 }];
    const message = await first(async (ctx) => ctx.kv.set("k", 2), line);
    expect(message).toContain('the code asks for kv-set "k" to 2, history has event 2 KeyValueSet "k" to 1');
  });

  it("has the place where long texts differ", async () => {
    const long = "x".repeat(100);
    const message = await first(
      async (ctx) => ctx.scheduleActivity("a", `${long}new`),
      activity("a", JSON.stringify(`${long}old`)),
    );
    expect(message).toContain('they differ from character 102 on: new" and old"');
  });

  it("has the line of the call", async () => {
    const message = await first(async (ctx) => ctx.scheduleActivity("a", 2), activity("a"));
    expect(message).toMatch(
      /with input 2 \(packages\/core\/test\/replay\/changed-code\.test\.ts:\d+:\d+\), /,
    );
  });
});
