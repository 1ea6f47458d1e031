/** replay: stored histories against code that still does the same, and against code that does not. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { activity, event, key, orchestration } from "../../src/define/definitions.ts";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";
import { rustTypedCodec } from "../../src/payload/rust-typed-codec.ts";
import { ReplayDivergenceError, replay, TestEnvironment } from "../../src/testing/index.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";
import { programs, type RecordedProgram } from "../histories/programs.ts";

describe("histories recorded of the Rust runtime", () => {
  /** Poisoned for want of a handler: there is no code that could fit. */
  const withoutCode = "unregistered_orchestration_poison";
  const names = Object.keys(programs).filter(
    (name) => programs[name]?.class === "reproduced" && name !== withoutCode,
  );

  test.each(names)("%s fits", async (name) => {
    const { orchestrations } = programs[name] as RecordedProgram;
    const path = join(import.meta.dirname, `../vectors/histories/${name}.json`);
    const recorded = JSON.parse(readFileSync(path, "utf8")) as {
      executions: { status: string; events: unknown[] }[];
    };
    const own = recorded.executions.flatMap(({ events }) => events);
    const { executions } = await replay(own, { orchestrations, codec: rustTypedCodec });
    expect(executions.map(({ status, next }) => [status, next])).toEqual(
      recorded.executions.map(({ status }) => [status, []]),
    );
  });
});

const double = activity("double", async (_ctx, n: number) => 2 * n);
const go = event<string>("go");
const total = key<number>("total");

type Body = (ctx: OrchestrationContext, input: number) => Promise<unknown>;

const work = (body: Body, version = "1.0.0") => orchestration("work", { version }, body);

const original: Body = async (ctx, input) => {
  const doubled = await ctx.scheduleActivity(double, input);
  const word = await ctx.waitForEvent(go);
  return `${word} ${await ctx.scheduleActivity(double, doubled)}`;
};

/** The history of `body`; it stops at the event if `finish` is false. */
async function record(body: Body, { finish = true } = {}): Promise<readonly HistoryEvent[]> {
  const definition = work(body);
  await using env = await TestEnvironment.create({ orchestrations: [definition], activities: [double] });
  const run = await env.start(definition, { input: 1, instanceId: "i" });
  if (finish) await run.raise(go, "gone");
  return await run.history();
}

async function difference(history: readonly HistoryEvent[], body: Body): Promise<ReplayDivergenceError> {
  const error = await replay(history, { orchestrations: [work(body)] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ReplayDivergenceError);
  return error as ReplayDivergenceError;
}

describe("code that still fits", () => {
  test("is accepted as events, as JSON text and as parsed JSON", async () => {
    const history = await record(original);
    const text = JSON.stringify(history, null, 2);
    for (const form of [history, text, JSON.parse(text) as unknown[], [...history].reverse()]) {
      const { executions } = await replay(form, { orchestrations: [work(original)] });
      expect(executions).toEqual([
        {
          instanceId: "i",
          executionId: 1,
          orchestrationName: "work",
          orchestrationVersion: "1.0.0",
          eventCount: history.length,
          status: "Completed",
          next: [],
        },
      ]);
    }
  });

  test("may go on differently where history has not been yet, and says how", async () => {
    const history = await record(original, { finish: false });
    const changed: Body = async (ctx, input) => {
      const doubled = await ctx.scheduleActivity(double, input);
      const more = ctx.all([ctx.waitForEvent(go), ctx.scheduleActivity(double, doubled)]);
      await more;
      return "changed";
    };
    const { executions } = await replay(history, { orchestrations: [work(changed)] });
    expect(executions).toMatchObject([{ status: "Running", next: ['scheduleActivity("double", 2)'] }]);
  });

  test("runs every version that the history needs", async () => {
    const history = await record(original);
    const orchestrations = [work(original), work(async () => "2", "2.0.0")];
    await expect(replay(history, { orchestrations })).resolves.toBeDefined();
    await expect(replay(history, { orchestrations: [work(original, "2.0.0")] })).rejects.toThrow(
      'runs orchestration "work" 1.0.0, which is not among those given',
    );
  });

  test("has the KV entries that earlier executions left, where those are in the history", async () => {
    const counting: Body = async (ctx, input) => {
      const sum = (ctx.kv.get(total) ?? 0) + input;
      ctx.kv.set(total, sum);
      await ctx.scheduleActivity(double, sum);
      return input === 3 ? sum : ctx.continueAsNew("work", input + 1);
    };
    const definition = work(counting);
    await using env = await TestEnvironment.create({ orchestrations: [definition], activities: [double] });
    const run = await env.start(definition, { input: 1 });
    expect(await run.result()).toBe(6);
    const history = (await Promise.all([1, 2, 3].map((id) => run.history(id)))).flat();
    const { executions } = await replay(history, { orchestrations: [definition] });
    expect(executions.map(({ status }) => status)).toEqual(["ContinuedAsNew", "ContinuedAsNew", "Completed"]);
    await expect(replay(await run.history(3), { orchestrations: [definition] })).rejects.toThrow(
      ReplayDivergenceError,
    );
  });

  test("has the KV entries to which a rewind set them back", async () => {
    const counting: Body = async (ctx, input) => {
      const before = ctx.kv.get(total) ?? 0;
      ctx.kv.set(total, before + input);
      await ctx.scheduleActivity(double, before);
      return input === 2 ? before : ctx.continueAsNew("work", input + 1);
    };
    const definition = work(counting);
    await using env = await TestEnvironment.create({ orchestrations: [definition], activities: [double] });
    const run = await env.start(definition, { input: 1, instanceId: "i" });
    expect(await run.result()).toBe(1);
    await env.client.admin.rewind("i", { toEvent: 1 });
    expect(await run.result()).toBe(1);
    await env.client.admin.rewind("i", { toEvent: 1 });
    expect(await run.result()).toBe(1);
    await env.client.admin.restart("i");
    expect(await run.result()).toBe(1);
    const history = (await Promise.all([1, 2, 3, 4, 5, 6].map((id) => run.history(id)))).flat();
    const { executions } = await replay(history, { orchestrations: [definition] });
    expect(executions.map(({ status }) => status)).toEqual([
      "ContinuedAsNew",
      "Completed",
      "Completed",
      "Completed",
      "ContinuedAsNew",
      "Completed",
    ]);
  });
});

describe("the first divergence is named", () => {
  test("another call than history has, with its source line", async () => {
    const error = await difference(await record(original), async (ctx, input) => {
      await ctx.scheduleActivity(double, input);
      return ctx.scheduleTimer(1);
    });
    expect(error).toMatchObject({
      instanceId: "i",
      executionId: 1,
      eventId: 4,
      recorded: 'waitForEvent("go")',
      actual: "scheduleTimer",
    });
    expect(error.location).toMatch(/replay\.test\.ts:\d+:\d+$/);
    expect(error.message).toContain("history and code differ at event 4 (ExternalSubscribed)");
  });

  test.each<[string, Body, Partial<ReplayDivergenceError>]>([
    [
      "another input",
      async (ctx, input) => ctx.scheduleActivity(double, input + 1),
      { eventId: 2, recorded: 'scheduleActivity("double", 1)', actual: 'scheduleActivity("double", 2)' },
    ],
    [
      "a call less",
      async (ctx, input) => void (await ctx.scheduleActivity(double, input)),
      { eventId: 4, recorded: 'waitForEvent("go")', actual: "has returned and makes no more calls" },
    ],
    [
      "an early error",
      async () => {
        throw new TypeError("oops");
      },
      { eventId: 2, actual: "has thrown TypeError: oops" },
    ],
    [
      "another output",
      async (ctx, input) => `${await original(ctx, input)}!`,
      { eventId: 8, recorded: 'returns "gone 4"', actual: 'returns "gone 4!"' },
    ],
    [
      "an error instead of an output",
      async (ctx, input) => {
        await original(ctx, input);
        throw new Error("late");
      },
      { eventId: 8, recorded: 'returns "gone 4"', actual: "throws late" },
    ],
    [
      "no end",
      async (ctx, input) => {
        await original(ctx, input);
        await ctx.waitForEvent("more");
      },
      { eventId: 8, recorded: 'returns "gone 4"', actual: "has not ended" },
    ],
  ])("%s", async (_what, body, expected) => {
    expect(await difference(await record(original), body)).toMatchObject(expected);
  });

  test("a call that gives another result on every run", async () => {
    const error = await difference(await record(original, { finish: false }), async (ctx, input) => {
      await ctx.scheduleActivity(double, input + Math.random());
    });
    expect(error.actual).toContain("Math.random()");
  });

  test("waiting for something that is not durable", async () => {
    const error = await difference(await record(original, { finish: false }), async (ctx, input) => {
      await ctx.scheduleActivity(double, input);
      void ctx.waitForEvent(go);
      await new Promise(() => {});
    });
    expect(error.message).toContain("not durable");
  });

  test("a mistake, with which a runtime would block the instance", async () => {
    const error = await difference(await record(original, { finish: false }), async (ctx, input) => {
      await ctx.scheduleActivity(double, input);
      throw new TypeError("order is undefined");
    });
    expect(error.message).toContain("order is undefined");
  });

  test("a mistake behind the history, with which a runtime would block the instance", async () => {
    const history = await record(
      async (ctx, input) => {
        await ctx.waitForEvent(go);
        return ctx.scheduleActivity(double, input);
      },
      { finish: false },
    );
    const error = await difference(history.slice(0, 1), async () => {
      throw new TypeError("order is undefined");
    });
    expect(error.message).toContain("order is undefined");
  });

  test("a branch that is no longer given up", async () => {
    const racing: Body = async (ctx, input) => {
      await ctx.race([ctx.waitForEvent(go), ctx.scheduleActivity(double, input)]);
      await ctx.waitForEvent("never");
    };
    const keeping: Body = async (ctx, input) => {
      await ctx.race([ctx.waitForEvent(go), ctx.scheduleActivity(double, input)], { keep: true });
      await ctx.waitForEvent("never");
    };
    expect((await difference(await record(racing, { finish: false }), keeping)).message).toContain(
      "history gave up 2, the code does not",
    );
  });
});

describe("an end that could not be stored as it was", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const outputs: Readonly<Record<string, unknown>> = {
    "a Map": new Map(),
    "a bigint": 1n,
    "not a number": Number.NaN,
    "a cycle": cyclic,
    "a toJSON that throws": {
      toJSON: () => {
        throw new TypeError("no");
      },
    },
  };
  const thrown: Readonly<Record<string, unknown>> = {
    "a cyclic object": cyclic,
    "no error": { code: 5 },
    "an error whose message is no text": Object.assign(new Error("x"), { message: ["a"] }),
    nothing: undefined,
    "a symbol": Symbol("s"),
  };
  const ends: readonly [string, Body][] = [
    ...Object.entries(outputs).map(([name, value]): [string, Body] => [`returns ${name}`, async () => value]),
    ...Object.entries(thrown).map(([name, value]): [string, Body] => [
      `throws ${name}`,
      async () => {
        throw value;
      },
    ]),
  ];

  test.each(ends)("fits the code that %s", async (_what, body) => {
    const { executions } = await replay(await record(body, { finish: false }), {
      orchestrations: [work(body)],
    });
    expect(executions.map(({ status }) => status)).toEqual(["Failed"]);
  });
});

test.each([{ history: "[]" }, { history: [] }])(
  "an empty history is refused, because it proves nothing about the code: $history",
  async ({ history }) => {
    await expect(replay(history, { orchestrations: [work(original)] })).rejects.toThrow("has no events");
  },
);

test("a call without options says what is missing", async () => {
  const withoutOptions = replay as (history: string) => Promise<unknown>;
  await expect(withoutOptions("[]")).rejects.toThrow("replay: the options must be an object");
});

test("what is no history is refused", async () => {
  const options = { orchestrations: [work(original)] };
  await expect(replay('{"events":[]}', options)).rejects.toThrow("a history is an array of events");
  await expect(replay((await record(original)).slice(1), options)).rejects.toThrow(
    "begins with OrchestrationStarted",
  );
});

describe("a history in which a payload was too large", () => {
  const big = orchestration("big", async (_ctx, letters: number) => "x".repeat(letters));
  const caught = orchestration("caught", async (ctx) => {
    try {
      ctx.setCustomStatus("x".repeat(2_000));
      return "stored";
    } catch {
      return "refused";
    }
  });

  test("fits by the limit of its runtime", async () => {
    await using env = await TestEnvironment.create({ orchestrations: [big] });
    env.ignoreFailures();
    const run = await env.start(big, { input: 1_600_000 });
    await expect(run.runToEnd()).rejects.toThrow(/more than maxPayloadBytes/);
    const history = await env.provider.readHistory(run.instanceId, 1);
    const { executions } = await replay(history, { orchestrations: [big], maxPayloadBytes: 1_500_000 });
    expect(executions.map(({ status }) => status)).toEqual(["Failed"]);
  });

  test("fits the limit that it was written with", async () => {
    await using env = await TestEnvironment.create({ orchestrations: [caught], maxPayloadBytes: 1_000 });
    const run = await env.start(caught);
    expect(await run.runToEnd()).toBe("refused");
    const history = await env.provider.readHistory(run.instanceId, 1);
    await replay(history, { orchestrations: [caught], maxPayloadBytes: 1_000 });
    await expect(replay(history, { orchestrations: [caught] })).rejects.toThrow(ReplayDivergenceError);
  });
});

test.each<[string | readonly unknown[]]>([[[]], ["[]"], ["[\n]"]])(
  "a history of no event at all is refused: %j",
  async (history) => {
    await expect(replay(history, { orchestrations: [] })).rejects.toThrow("the history has no event");
  },
);
