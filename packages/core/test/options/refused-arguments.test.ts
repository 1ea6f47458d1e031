/**
 * Mistakes of JavaScript programs, which no compiler checks: each is a sentence that names what is wrong. The programs
 * are in the types of `any`, in this one place.
 */
import * as core from "@duroxide-ts/core";
import * as offload from "@duroxide-ts/core/offload";
import * as kit from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: the programs of this file have no types
type Untyped = any;
const { Client, Runtime, activity, event, key, orchestration, queue, stderrLogger }: Untyped = core;
const { azureBlobStore, fileBlobStore }: Untyped = offload;
const { MemoryProvider, TestEnvironment, exportHistory, replaceTexts, replay }: Untyped = kit;

const echo = activity("echo", async (_ctx: Untyped, value: unknown) => value);
const job = orchestration("job", async () => "done");

async function refusal(
  attempt: () => unknown,
): Promise<{ readonly code?: string; readonly message: string }> {
  try {
    await attempt();
  } catch (error) {
    return error as { readonly code?: string; readonly message: string };
  }
  throw new Error("nothing was refused");
}

it("options are checked beside an enumerable property that a library has put on Object.prototype", async () => {
  Object.defineProperty(Object.prototype, "addedByALibrary", {
    value: () => {},
    enumerable: true,
    configurable: true,
    writable: true,
  });
  try {
    const runtime = await Runtime.start({
      provider: new MemoryProvider(),
      orchestrations: [job],
      logger: core.silentLogger,
    });
    const handle = await new Client(new MemoryProvider()).start(job, { instanceId: "i" });
    expect(handle.instanceId).toBe("i");
    await runtime.shutdown();
    const { message } = await refusal(() =>
      Runtime.start({ provider: new MemoryProvider(), addedByALibrary: 1 }),
    );
    expect(message).toMatch(/no option "addedByALibrary"/);
  } finally {
    Reflect.deleteProperty(Object.prototype, "addedByALibrary");
  }
});

it("a runtime begins with Runtime.start, not with new", async () => {
  const { message } = await refusal(() => new Runtime({ provider: new MemoryProvider() }));
  expect(message).toMatch(/await Runtime\.start\(/);
});

describe("Runtime.start refuses", () => {
  const provider = new MemoryProvider();
  it.each<[string, unknown, RegExp]>([
    ["a misspelt option", { provider, activites: [] }, /no option "activites"; did you mean "activities"\?/],
    ["no options", undefined, /give options with a provider/],
    ["no provider", { activities: [echo] }, /there is no provider; .*SqliteProvider\.open/],
    ["a provider that is not open yet", { provider: Promise.resolve(provider) }, /is a promise; await it/],
    ["what is no provider", { provider: "orders.db" }, /must be an object with fetch.*got "orders\.db"/],
    ["one handler in place of a list", { provider, activities: echo }, /activities must be an array/],
    [
      "a handler that is not there yet",
      { provider, activities: [echo, undefined] },
      /activities\[1\].*circle/,
    ],
    [
      "a function in place of a definition",
      { provider, orchestrations: [() => {}] },
      /what orchestration\(…\)/,
    ],
    ["an activity among orchestrations", { provider, orchestrations: [echo] }, /of the kind "activity"/],
    [
      "maxAttempts: 0",
      { provider, activities: [echo], maxAttempts: 0 },
      /maxAttempts must be .* 1 or more; got 0/,
    ],
    [
      "a number as a text, as the environment has it",
      { provider, activities: [echo], workerConcurrency: "8" },
      /workerConcurrency must be a whole number of 0 or more; got "8"/,
    ],
    [
      "a guard that does not exist",
      { provider, activities: [echo], determinismGuard: "on" },
      /"error", "warning" or "off"; got "on"/,
    ],
    [
      "a filter that does not exist",
      { provider, activities: [echo], workerTagFilter: { kind: "tag" } },
      /"default-only"/,
    ],
    [
      "a filter with misspelt tags",
      { provider, activities: [echo], workerTagFilter: { kind: "tags", tag: ["gpu"] } },
      /workerTagFilter: there is no option "tag"; did you mean "tags"\?/,
    ],
    [
      "a filter with one tag in place of a list",
      { provider, activities: [echo], workerTagFilter: { kind: "tags", tags: "gpu" } },
      /tags must be an array of tags; got "gpu"/,
    ],
    [
      "a filter whose tag is no text",
      { provider, activities: [echo], workerTagFilter: { kind: "tags", tags: [7] } },
      /a tag must be a text; got 7/,
    ],
    [
      "a logger without methods",
      { provider, activities: [echo], logger: () => {} },
      /logger must be .* without debug\(\)/,
    ],
    [
      "a codec without decode",
      { provider, activities: [echo], codec: { encode: String } },
      /codec .* without decode\(\)/,
    ],
  ])("%s", async (_, options, message) => {
    const error = await refusal(() => Runtime.start(options));
    expect(error).toMatchObject({ code: "configuration" });
    expect(error.message).toMatch(message);
  });

  it("at shutdown a misspelt grace", async () => {
    await using runtime = await Runtime.start({ provider, activities: [echo] });
    expect(await refusal(() => runtime.shutdown({ grace: 5 }))).toMatchObject({
      message: expect.stringMatching(/no option "grace"; did you mean "graceMs"\?/),
    });
  });
});

describe("a client refuses", () => {
  const client = new Client(new MemoryProvider());
  const handle = client.handle(job, "i");
  it.each<[string, () => unknown, RegExp]>([
    ["no provider", () => new Client(), /new Client: there is no provider/],
    ["misspelt options", () => new Client(new MemoryProvider(), { codecs: 1 }), /did you mean "codec"\?/],
    ["a start with id", () => client.start(job, { id: "i" }), /no option "id"; did you mean "instanceId"\?/],
    [
      "an input in place of options",
      () => client.start("job", "x"),
      /must be an object with instanceId, input/,
    ],
    ["null options", () => client.start(job, null), /must be an object .*got null/],
    [
      "a start of nothing",
      () => client.start(undefined),
      /client\.start: .* definition or its name; got undefined/,
    ],
    ["a misspelt rule of a start", () => client.start(job, { ifExist: "fail" }), /did you mean "ifExists"\?/],
    [
      "one event in place of a list",
      () => client.start(job, { raise: event("e") }),
      /raise must be an array/,
    ],
    [
      "a misspelt message",
      () => client.start(job, { enqueue: [{ queue: "q", data: 1 }] }),
      /no option "data"/,
    ],
    [
      "a message to nothing",
      () => client.start(job, { enqueue: [{ message: 1 }] }),
      /enqueue\[0\]: .*undefined/,
    ],
    ["an empty name", () => client.start(""), /the name must not be empty/],
    ["a start of an activity", () => client.start(echo), /takes an orchestration; "echo" is an activity/],
    [
      "a start of a function",
      () => client.start(() => {}),
      /got a function\. Pass what activity\(…\) or orchestration\(…\) returns/,
    ],
    ["a handle without an id", () => client.handle(job), /an instance id must be a string/],
    [
      "a cancel with an object",
      () => handle.cancel({}),
      /cancel: the reason must be a string; got an object/,
    ],
    ["an event without a name", () => handle.raise(""), /raise: the name must not be empty/],
    ["an event that is undefined", () => handle.raise(undefined), /raise: .* got undefined/],
    ["a queue that is raised", () => handle.raise(queue("q"), 1), /raise takes an event; "q" is a queue/],
    [
      "an event that is enqueued",
      () => handle.enqueue(event("e"), 1),
      /enqueue takes a queue; "e" is an event/,
    ],
    ["a misspelt send", () => handle.raise("e", 1, { id: "m" }), /did you mean "messageId"\?/],
    [
      "a question with null options",
      () => handle.ask("q", 1, null),
      /ask: .*timeout, signal, messageId; got null/,
    ],
    ["a misspelt question", () => handle.ask("q", 1, { id: "m" }), /did you mean "messageId"\?/],
    ["a misspelt wait", () => handle.result({ timeoutMs: 5 }), /did you mean "timeout"\?/],
    ["a timeout that is none", () => handle.result({ timeout: "5s" }), /result: timeout must be a number/],
    ["a timeout that is a bigint", () => handle.result({ timeout: 5n }), /result: timeout .*got 5n$/],
    ["a timeout that is no number", () => handle.result({ timeout: Number.NaN }), /timeout .*got NaN$/],
    [
      "a unit that is no number",
      () => handle.result({ timeout: { ms: 1, minutes: "5" } }),
      /timeout .*got \{"ms":1,"minutes":"5"\}$/,
    ],
    [
      "a unit that is a bigint",
      () => handle.result({ timeout: { seconds: 5n, ms: Number.NaN } }),
      /timeout .*got \{"seconds":"5n","ms":"NaN"\}$/,
    ],
    ["a signal that is none", () => handle.result({ signal: true }), /result: signal must be/],
    ["a number in place of options", () => handle.result(5_000), /must be an object with timeout, signal/],
    ["a key without a name", () => handle.get(), /get: .* got undefined/],
    ["a version below zero", () => handle.customStatus({ afterVersion: -1 }).next(), /afterVersion must be/],
  ])("%s", async (_, attempt, message) => {
    const error = await refusal(attempt);
    expect(error).toMatchObject({ code: "invalid-input" });
    expect(error.message).toMatch(message);
  });
});

it("the administration refuses null in place of the options of a bulk verb", async () => {
  const { admin } = new Client(new MemoryProvider());
  for (const call of ["pruneAll", "deleteAll"]) {
    const error = await refusal(() => admin[call]({ status: ["Completed"] }, null));
    expect(error).toMatchObject({ code: "invalid-input", message: expect.stringContaining("null") });
  }
});

describe("the administration refuses an id that is no text", () => {
  const { admin } = new Client(new MemoryProvider());
  const calls = [
    "info",
    "executions",
    "execution",
    "history",
    "timeline",
    "tree",
    "delete",
    "prune",
  ] as const;
  it.each(calls)("admin.%s", async (call) => {
    for (const id of [undefined, 5]) {
      const error = await refusal(() => admin[call](id, call === "prune" ? {} : undefined));
      expect(error).toMatchObject({ code: "invalid-input" });
      expect(error.message).toBe(`admin.${call}: the instance id must be a string; got ${id}`);
    }
  });
});

describe("a definition refuses", () => {
  const handler = async (): Promise<void> => {};
  it.each<[string, () => unknown, RegExp]>([
    [
      "a misspelt version",
      () => orchestration("o", { verison: "2.0.0" }, handler),
      /did you mean "version"\?/,
    ],
    [
      "a version of an activity",
      () => activity("a", { version: "2.0.0" }, handler),
      /options are input, result/,
    ],
    [
      "a schema that is none",
      () => activity("a", { input: String }, handler),
      /input of activity "a": .*validator/,
    ],
    [
      "options in the place of the handler",
      () => activity("a", {}),
      /the last argument is its handler.*an object/,
    ],
    ["no handler", () => orchestration("o"), /the last argument is its handler/],
    [
      "a version that is a number",
      () => orchestration("o", { version: 2 }, handler),
      /such as "2\.0\.0"; got 2/,
    ],
    ["a misspelt schema of an event", () => event("e", { shema: 1 }), /did you mean "schema"\?/],
    ["a keep that is a text", () => event("e", { keep: "yes" }), /keep must be true or false; got "yes"/],
    ["a queue that is kept", () => queue("q", { keep: true }), /The only option is schema/],
    ["a schema of a key that is none", () => key("k", { schema: {} }), /schema of key "k"/],
    ["a key without a name", () => key(), /first argument is its name/],
  ])("%s", async (_, attempt, message) => {
    const error = await refusal(attempt);
    expect(error).toMatchObject({ code: "invalid-input" });
    expect(error.message).toMatch(message);
  });
});

describe("an orchestration's calls refuse", () => {
  const retrying = (retry: unknown) => (ctx: Untyped) => ctx.scheduleActivity(echo, 1, { retry });
  it.each<[string, (ctx: Untyped) => unknown, RegExp]>([
    [
      "an activity that is undefined",
      (ctx) => ctx.scheduleActivity(undefined),
      /got undefined\. Modules that import each other/,
    ],
    ["an empty name", (ctx) => ctx.scheduleActivity(""), /scheduleActivity: the name must not be empty/],
    [
      "an orchestration in place of an activity",
      (ctx) => ctx.scheduleActivity(job),
      /takes an activity; "job" is an orch/,
    ],
    [
      "a misspelt option",
      (ctx) => ctx.scheduleActivity(echo, 1, { sesion: "s" }),
      /did you mean "session"\?/,
    ],
    [
      "a session that is no text",
      (ctx) => ctx.scheduleActivity(echo, 1, { session: 5 }),
      /session must be a string/,
    ],
    [
      "an empty session",
      (ctx) => ctx.scheduleActivity(echo, 1, { session: "" }),
      /session must not be empty; name what its activities share, or leave the option out/,
    ],
    ["a tag that is no text", (ctx) => ctx.scheduleActivity(echo, 1, { tag: {} }), /tag must be a string/],
    [
      "a session that a store would change",
      (ctx) => ctx.scheduleActivity(echo, 1, { session: "x\ud800" }),
      /session has a lone surrogate.*toWellFormed/,
    ],
    [
      "a tag that a store would change",
      (ctx) => ctx.scheduleActivity(echo, 1, { tag: "x\ud800" }),
      /tag has a lone surrogate.*toWellFormed/,
    ],
    [
      "the name of a key that a store would change",
      (ctx) => ctx.kv.set("x\ud800", 1),
      /the name has a lone surrogate.*toWellFormed/,
    ],
    [
      "a signal that is none",
      (ctx) => ctx.scheduleActivity(echo, 1, { signal: {} }),
      /signal must be an object/,
    ],
    ["a misspelt policy", retrying({ maxAttempt: 3 }), /retry: .*did you mean "maxAttempts"\?/],
    [
      "no attempt at all",
      retrying({ maxAttempts: 0 }),
      /retry\.maxAttempts must be a whole number of 1 or more, or Infinity; got 0/,
    ],
    ["one name in place of a list", retrying({ nonRetryable: "TypeError" }), /nonRetryable must be an array/],
    ["a predicate that is none", retrying({ when: true }), /retry\.when must be a function/],
    [
      "a timeout that is a text",
      (ctx) => ctx.scheduleActivity(echo, 1, { timeout: "5s" }),
      /scheduleActivity: timeout must be a number/,
    ],
    ["a policy that is a number", retrying(3), /retry: the options must be an object/],
    [
      "a back-off without a delay",
      retrying({ backoff: { kind: "fixed" } }),
      /retry\.backoff\.delay is missing/,
    ],
    [
      "a linear back-off without an end",
      retrying({ backoff: { kind: "linear", base: 1 } }),
      /backoff\.max is missing/,
    ],
    [
      "a back-off that does not exist",
      retrying({ backoff: { kind: "exp" } }),
      /"none", "fixed", .*; got "exp"/,
    ],
    ["a back-off that is a text", retrying({ backoff: "fixed" }), /kind must be/],
    [
      "an option of another back-off",
      retrying({ backoff: { kind: "fixed", delay: 1, max: 5 } }),
      /no option "max"/,
    ],
    [
      "a multiplier below zero",
      retrying({ backoff: { kind: "exponential", multiplier: -2 } }),
      /multiplier must be/,
    ],
    [
      "a timeout that is none",
      retrying({ timeout: "1s" }),
      /retry\.timeout must be a number of milliseconds/,
    ],
    ["a timer without a delay", (ctx) => ctx.scheduleTimer(), /scheduleTimer: the delay must be a number/],
    ["a misspelt unit", (ctx) => ctx.scheduleTimer({ hour: 1 }), /no option "hour"; did you mean "hours"\?/],
    ["a misspelt option of a timer", (ctx) => ctx.scheduleTimer(1, { sginal: 1 }), /did you mean "signal"\?/],
    [
      "a wait for a queue",
      (ctx) => ctx.waitForEvent(queue("q")),
      /waitForEvent takes an event; "q" is a queue/,
    ],
    ["a wait without a name", (ctx) => ctx.waitForEvent(""), /waitForEvent: the name must not be empty/],
    ["a wait with a timeout", (ctx) => ctx.waitForEvent("e", { timeout: 5 }), /no option "timeout"/],
    ["a dequeue of an event", (ctx) => ctx.dequeue(event("e")), /dequeue takes a queue/],
    ["a child that is an activity", (ctx) => ctx.scheduleSubOrchestration(echo), /takes an orchestration/],
    [
      "a misspelt option of a child",
      (ctx) => ctx.scheduleSubOrchestration(job, 1, { id: "c" }),
      /"instanceId"\?/,
    ],
    [
      "a detached start without options",
      (ctx) => ctx.startOrchestration(job),
      /give options with an instanceId/,
    ],
    [
      "a misspelt option of a detached start",
      (ctx) => ctx.startOrchestration(job, { instanceid: "c" }),
      /"instanceId"\?/,
    ],
    [
      "a saga's step with null options",
      (ctx) =>
        ctx.saga().run(
          "s",
          () => 1,
          () => {},
          null,
        ),
      /saga\.run: the options must be an object with .*undoRetry.*; got null/,
    ],
    [
      "a misspelt option of a saga's step",
      (ctx) =>
        ctx.saga().run(
          "s",
          () => 1,
          () => {},
          { undoretry: {} },
        ),
      /saga\.run: there is no option "undoretry"; did you mean "undoRetry"\?/,
    ],
    [
      "a saga's activity with null options",
      (ctx) => ctx.saga().schedule(echo, 1, null),
      /saga\.schedule: the options must be an object with .*undo.*; got null/,
    ],
    [
      "a misspelt option of a saga's activity",
      (ctx) => ctx.saga().schedule(echo, 1, { undo: () => {}, retries: 1 }),
      /saga\.schedule: there is no option "retries"; did you mean "retry"\?/,
    ],
    ["a continuation as nothing", (ctx) => ctx.continueAsNew(undefined), /continueAsNew: .* got undefined/],
    ["a race without a list", (ctx) => ctx.race(ctx.scheduleTimer(1)), /race: give one array/],
    [
      "several arguments of all",
      (ctx) => ctx.all(ctx.scheduleTimer(1), ctx.scheduleTimer(2)),
      /all: give one array/,
    ],
    [
      "a misspelt option of a race",
      (ctx) => ctx.race([ctx.scheduleTimer(1)], { kep: true }),
      /did you mean "keep"\?/,
    ],
    ["an entry without a key", (ctx) => ctx.kv.set(undefined, 1), /kv\.set: .* got undefined/],
    [
      "a Date as a time of deletion",
      (ctx) => ctx.kv.deleteUpdatedBefore(new Date(0)),
      /ctx\.now\(\) - 60_000/,
    ],
    [
      "a read from no instance",
      (ctx) => ctx.kv.getFromInstance(undefined, "k"),
      /the first argument is an instance id/,
    ],
    [
      "a task as an input",
      (ctx) => ctx.scheduleActivity(echo, ctx.scheduleTimer(1)),
      /is a Task, .*await it first/,
    ],
    [
      "a task in a text",
      (ctx) => `label ${ctx.scheduleTimer(1)}`,
      /a task was used as a value; await it first/,
    ],
    ["a task in a sum", (ctx) => 1 + ctx.scheduleTimer(1), /a task was used as a value; await it first/],
  ])("%s", async (_, call, message) => {
    const program = orchestration("program", async (ctx: Untyped) => {
      const error = await refusal(() => call(ctx));
      return [error.code, error.message];
    });
    await using env = await TestEnvironment.create({ orchestrations: [program], activities: [echo] });
    const [code, text] = await (await env.start(program)).result();
    expect(code).toBe("invalid-input");
    expect(text).toMatch(message);
  });
});

describe("the test kit refuses", () => {
  it.each<[string, () => unknown, RegExp]>([
    ["misspelt handlers", () => TestEnvironment.create({ activites: [] }), /did you mean "activities"\?/],
    ["no options", () => TestEnvironment.create(), /give options with the handlers/],
    ["a clock of its own", () => TestEnvironment.create({ clock: {} }), /no option "clock"/],
    [
      "an open provider",
      () => TestEnvironment.create({ provider: new MemoryProvider() }),
      /provider must be a function/,
    ],
    [
      "a misspelt redaction, which would export everything",
      () => exportHistory(new MemoryProvider(), "i", { redakt: replaceTexts() }),
      /did you mean "redact"\?/,
    ],
    ["misspelt options of a redaction", () => replaceTexts({ keeps: [] }), /did you mean "keep"\?/],
    [
      "a misspelt limit of a run",
      async () => {
        await using env = await TestEnvironment.create({ orchestrations: [job] });
        return (await env.start(job)).runToEnd({ wihtin: 1 });
      },
      /did you mean "within"\?/,
    ],
    [
      "misspelt options of a replay",
      () => replay([], { orchestration: [] }),
      /did you mean "orchestrations"\?/,
    ],
    ["misspelt options of the store", () => new MemoryProvider({ clok: 1 }), /did you mean "clock"\?/],
  ])("%s", async (_, attempt, message) => {
    expect((await refusal(attempt)).message).toMatch(message);
  });
});

describe("a part that is made by a function refuses misspelt options", () => {
  it.each<[string, () => unknown, RegExp]>([
    ["of the default logger", () => stderrLogger({ clok: 1 }), /did you mean "clock"\?/],
    ["of blobs in files", () => fileBlobStore("blobs", { clok: 1 }), /did you mean "clock"\?/],
    ["of blobs in Azure", () => azureBlobStore({}, { prefx: "a/" }), /did you mean "prefix"\?/],
  ])("%s", async (_, attempt, message) => {
    expect((await refusal(attempt)).message).toMatch(message);
  });
});

describe("texts that are too long are refused before anything is stored:", () => {
  const long = "x".repeat(1_001);
  const reason = "x".repeat(4_097);
  const client = new Client(new MemoryProvider());
  const handle = client.handle("job", "i");
  it.each<[string, () => unknown]>([
    ["the name of an orchestration", () => client.start(long)],
    ["the version of a start", () => client.start("job", { version: `1.0.0-${long}` })],
    ["the name of an event", () => handle.raise(long)],
    ["the name of a queue", () => handle.enqueue(long, 1)],
    ["the name of an activity that is defined", () => activity(long, async () => 1)],
    ["the reason of a cancellation", () => handle.cancel(reason)],
    ["the reason of a suspension", () => client.admin.suspend("i", { reason })],
    ["an operator", () => client.admin.resume("i", { by: long })],
    ["the reason of a deletion", () => client.admin.delete("i", { reason })],
  ])("%s", async (_what, attempt) => {
    expect(await refusal(attempt)).toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(/bytes, more than/),
    });
  });
});

it("a worker with a tag that a store would change does not begin", async () => {
  const workerTagFilter = { kind: "tags", tags: ["x\ud800"] };
  const { message } = await refusal(() => Runtime.start({ provider: new MemoryProvider(), workerTagFilter }));
  expect(message).toMatch(/workerTagFilter: a tag has a lone surrogate/);
});

describe("texts that a store would change are refused before anything is stored:", () => {
  const lone = "x\ud800";
  const client = new Client(new MemoryProvider());
  const handle = client.handle("job", "i");
  it.each<[string, () => unknown]>([
    ["the name of an orchestration", () => client.start(lone)],
    ["the id of a start", () => client.start("job", { instanceId: lone })],
    ["the id of the message of a start", () => client.start("job", { messageId: lone })],
    ["a queue of a start", () => client.start("job", { enqueue: [{ queue: lone, message: 1 }] })],
    ["the name of an event", () => handle.raise(lone)],
    ["the name of a queue", () => handle.enqueue(lone, 1)],
    ["the id of a message", () => handle.enqueue("q", 1, { messageId: lone })],
    ["the name of a key", () => handle.get(lone)],
    ["the name of an activity that is defined", () => activity(lone, async () => 1)],
    ["the name of an event that is defined", () => event(lone)],
    ["an operator", () => client.admin.resume("i", { by: lone })],
    ["a payload as its codec writes it", () => client.undecoded().handle("job", "i").enqueue("q", lone)],
  ])("%s", async (_what, attempt) => {
    expect(await refusal(attempt)).toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(/lone surrogate.*toWellFormed/),
    });
  });
});
