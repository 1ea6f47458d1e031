/** Stacks and causes of what was thrown reach the history, the client, the caller in the orchestration, and the log. */
import { describe, expect, test } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";
import { thrownFailure } from "../../src/errors/failure-details.ts";
import {
  ActivityFailedError,
  activity,
  type HistoryEvent,
  OrchestrationFailedError,
  orchestration,
} from "../../src/index.ts";
import { TestEnvironment, type TestEnvironmentOptions } from "../../src/testing/index.ts";
import { decodeErrorDetails, encodeErrorDetails } from "../../src/wire/codec.ts";

const HERE = "stacks.test.ts";

function readName(customer: { readonly name?: { readonly first: string } }): string {
  return (customer.name as { readonly first: string }).first;
}

const greet = activity("greet", async () => readName({}));

const connect = activity("connect", async () => {
  const refused = Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });
  const cause = new AggregateError([refused, new RangeError("port")], "no address", { cause: "a text" });
  throw new TypeError("fetch failed", { cause });
});

const greets = orchestration("greets", async (ctx) => ctx.scheduleActivity(greet));

type Body = (ctx: OrchestrationContext) => Promise<unknown>;

/** The failure of an orchestration with this body at the client, and its history. */
async function failureOf(
  body: Body,
  options: Partial<TestEnvironmentOptions> = {},
): Promise<{ readonly error: OrchestrationFailedError; readonly events: readonly HistoryEvent[] }> {
  const program = orchestration("program", body);
  await using env = await TestEnvironment.create({
    orchestrations: [program, greets],
    activities: [greet, connect],
    logger: new RecordingLogger(),
    ...options,
  });
  const run = await env.start(program, { instanceId: "i" });
  const error = await run.runToEnd().catch((thrown: unknown) => thrown);
  if (!(error instanceof OrchestrationFailedError)) throw new Error(`it did not fail: ${String(error)}`);
  return { error, events: await env.provider.readHistory("i") };
}

const throwing: Body = async (ctx) => {
  await ctx.scheduleTimer(10);
  readName({});
};

describe("the client's error", () => {
  test("has the frames of the code that threw below a line that names the instance", async () => {
    const { error } = await failureOf(throwing);
    const [own, remote] = error.stack?.split('--- thrown by instance "i" ---') ?? [];
    expect(own).toContain("OrchestrationFailedError: Cannot read properties of undefined");
    expect(remote?.trim()).toMatch(/^at readName \(.*stacks\.test\.ts:\d+:\d+\)\n/);
  });

  test("has the thrown error with its own stack as its cause, without frames of the runtime", async () => {
    const { error } = await failureOf(async (ctx) => ctx.scheduleActivity(greet));
    const { stack = "" } = error.cause as Error;
    expect(stack).toMatch(/^TypeError: Cannot read properties of undefined .*\n {4}at readName \(/);
    expect(
      stack
        .split("\n")
        .slice(1)
        .every((line) => line.includes(HERE)),
    ).toBe(true);
  });

  test("has the causes of the thrown error, and the errors of an AggregateError", async () => {
    const { error } = await failureOf(async (ctx) => ctx.scheduleActivity(connect));
    const thrown = error.cause as Error;
    expect(thrown).toMatchObject({ name: "TypeError", message: "fetch failed" });
    const cause = thrown.cause as AggregateError;
    expect(cause).toBeInstanceOf(AggregateError);
    expect(cause).toMatchObject({ name: "AggregateError", message: "no address", cause: "a text" });
    expect(cause.errors).toMatchObject([
      { name: "Error", message: "connect refused", code: "ECONNREFUSED" },
      { name: "RangeError", message: "port" },
    ]);
    expect(cause.stack).toContain(HERE);
  });

  test("keeps the stack of the activity through every level that lets it through", async () => {
    const { error } = await failureOf(async (ctx) => ctx.scheduleSubOrchestration(greets));
    expect(error.stack).toMatch(/thrown by instance "i" ---\n {4}at readName/);
  });

  test("has the activity's error behind one that wraps it", async () => {
    const { error } = await failureOf(async (ctx) => {
      await ctx.scheduleActivity(greet).catch((cause: unknown) => {
        throw new Error("nobody was greeted", { cause });
      });
    });
    const wrapper = error.cause as Error;
    expect(wrapper).toMatchObject({ message: "nobody was greeted", cause: { name: "ActivityFailedError" } });
    expect(((wrapper.cause as Error).cause as Error).stack).toMatch(/^TypeError.*\n {4}at readName/);
  });
});

describe("the error that an orchestration catches", () => {
  const catching: Body = async (ctx) => {
    const stacks: unknown[] = [];
    const note = (error: Error): void => void stacks.push(error.stack, (error.cause as Error).stack);
    await ctx.scheduleActivity(greet).catch(note);
    await ctx.scheduleSubOrchestration(greets, undefined, { instanceId: "c" }).catch(note);
    await ctx.scheduleTimer(10);
    throw new Error(JSON.stringify(stacks));
  };

  test("has the activity's frames, and none of this process", async () => {
    const { error } = await failureOf(catching);
    const [activityStack, causeStack, childStack] = JSON.parse(error.message) as string[];
    expect(activityStack).toMatch(
      /^ActivityFailedError: Cannot .*\n {4}--- thrown by activity "greet" ---\n {4}at readName/,
    );
    expect(causeStack).toMatch(/^TypeError: Cannot .*\n {4}at readName/);
    expect(childStack).toMatch(/^SubOrch.*\n {4}--- thrown by orchestration "greets" ---\n {4}at readName/);
  });

  test.each(Object.entries({ catching, throwing }))(
    "is the same live and in a replay of everything, event for event: %s",
    async (_name, body) => {
      const live = await failureOf(body);
      const cold = await failureOf(body, { liveExecutions: 0 });
      expect(cold.events).toEqual(live.events);
    },
  );
});

test("the log has the stack and the causes of what failed", async () => {
  const logger = new RecordingLogger();
  await failureOf(async (ctx) => ctx.scheduleActivity(connect), { logger });
  for (const event of ["activity_failed", "orchestration_failed"]) {
    expect(logger.of(event)[0]?.fields["stack"]).toMatch(
      /^TypeError: fetch failed\n {4}at .*\ncaused by: AggregateError: no address\n {4}at .*\nerror 1: Error: connect refused\n(.*\n)*error 2: RangeError: port\n(.*\n)*caused by: a text$/,
    );
  }
});

describe("what is stored of an error", () => {
  const stored = (thrown: unknown): string => encodeErrorDetails(thrownFailure("ActivityFailed", thrown));

  test("has at most 4 KB for a stack, in whole lines", () => {
    const error = new Error("deep");
    error.stack = `Error: deep\n${"    at f (/app/orders.js:1:1)\n".repeat(10_000)}`;
    const text = stored(error);
    expect(text.length).toBeLessThan(4_096 + 500);
    expect(text).toMatch(/orders\.js:1:1\)"/);
  });

  test("has at most 16 KB of stacks and causes, whatever its causes are", () => {
    const tree = (depth: number): Error => {
      const error = new AggregateError(depth === 0 ? [] : [tree(depth - 1), tree(depth - 1), 1, ""], "");
      error.stack = `Error\n${"    at f (/app/orders.js:1:1)\n".repeat(100)}`;
      return error;
    };
    expect(stored(tree(9)).length).toBeLessThan(2 * 16_384);
    const cyclic = new Error("cyclic");
    cyclic.cause = cyclic;
    expect(stored(cyclic).length).toBeLessThan(2 * 16_384);
  });

  test("has no frames of the contexts that Node and Deno call a handler in", () => {
    const error = new Error("declined");
    error.stack = `Error: declined
    at charge (file:///app/orders.ts:1:1)
    at AsyncLocalStorage.run (node:internal/async_local_storage/async_context_frame:63:14)
    at AsyncResource.runInAsyncScope (ext:deno_node/async_hooks.ts:1:949)
    at ext:deno_node/async_hooks.ts:1:2268`;
    expect(stored(error)).toContain('"stack":"    at charge (file:///app/orders.ts:1:1)"');
  });

  test("does not take lines of its message for frames", () => {
    const error = new Error("no\n    at all (/etc/passwd:1:1)");
    expect(stored(error)).not.toMatch(/"stack":"[^"]*passwd/);
  });

  test("is what it was before there were stacks, where the error has none", () => {
    const error = Object.assign(new Error("m"), { status: 400 });
    error.stack = "";
    expect(stored(error)).toBe(
      '{"Application":{"kind":"ActivityFailed","message":"m","retryable":false,"thrown":{"name":"Error","data":"{\\"status\\":400}"}}}',
    );
  });

  test("is read without what has another shape, as another version may write it", () => {
    const thrown = '{"name":"E","stack":5,"cause":{"message":7},"errors":"none"}';
    const text = `{"Application":{"kind":"ActivityFailed","message":"m","retryable":false,"thrown":${thrown}}}`;
    const error = new ActivityFailedError("a", decodeErrorDetails(text));
    expect(error.cause).toMatchObject({ name: "E", message: "m" });
    expect(error.message).toBe("m");
  });
});

describe("a program that has replaced Error.prepareStackTrace", () => {
  test.each([
    ["returns frames", (_error: Error, frames: readonly unknown[]) => frames],
    ["returns something else", () => 7],
  ])("fails as it would, where that %s", async (what, prepare) => {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = prepare;
    try {
      const { error } = await failureOf(async () => Date.now());
      expect(error.message).toContain("Date.now() in orchestration code");
      const details = thrownFailure("ActivityFailed", new Error("declined"));
      const thrown = "Application" in details ? details.Application.thrown : undefined;
      if (what === "returns frames") expect(thrown?.stack).toContain(HERE);
      else expect(thrown?.stack).toBeUndefined();
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
  });
});
