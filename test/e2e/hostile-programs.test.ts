/**
 * Programs at random whose handlers, codecs and schemas throw anything. No run ends in poison, none is tried again by
 * the runtime, no handler runs more often than its policy says, and no rejection reaches the process: vitest fails a run
 * with an unhandled one. `npm test -- --seed 7` chooses other programs.
 */
import {
  activity,
  event,
  jsonCodec,
  key,
  type OrchestrationContext,
  orchestration,
  type PayloadCodec,
  type Provider,
  queue,
  type StandardSchema,
} from "@duroxide-ts/core";
import { TestEnvironment, type VirtualClock } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs, SEED } from "../support/effort.ts";
import { hostileThrown } from "../support/hostile-values.ts";
import { RecordingLogger } from "../support/recording-logger.ts";

type Make = () => unknown;

/** Encoded or decoded, it makes the codec throw. */
const UNWRITABLE = { bomb: "encode" };
const UNREADABLE = { bomb: "decode" };

/** The program may have ended. */
const KEEP = { ifMissing: "keep" } as const;

function throwingCodec(make: Make): PayloadCodec {
  return {
    name: "throwing",
    encode: (value) => {
      if (value === UNWRITABLE) throw make();
      return jsonCodec.encode(value);
    },
    decode: (text) => {
      if (text.includes('"decode"')) throw make();
      return jsonCodec.decode(text);
    },
  };
}

function throwingSchema(make: Make, issues: boolean): StandardSchema<unknown, unknown> {
  const validate = (): { issues: never } => {
    if (!issues) throw make();
    return { issues: make() as never };
  };
  return { "~standard": { version: 1, vendor: "test", validate } };
}

interface Handlers {
  readonly throws: ReturnType<typeof activity<unknown, unknown>>;
  readonly echo: ReturnType<typeof activity<unknown, unknown>>;
  readonly strict: ReturnType<typeof activity<unknown, unknown>>;
  readonly child: ReturnType<typeof orchestration<unknown, unknown>>;
  readonly strictChild: ReturnType<typeof orchestration<unknown, unknown>>;
}

type Step = (ctx: OrchestrationContext, handlers: Handlers, make: Make, schema: StandardSchema) => unknown;

/** Steps of an orchestration; each fails in its own way. */
const STEPS: Readonly<Record<string, Step>> = {
  "throws itself": (_ctx, _handlers, make) => {
    throw make();
  },
  "awaits an activity that throws": (ctx, { throws }) => ctx.scheduleActivity(throws, 1),
  "retries an activity that throws": (ctx, { throws }) =>
    ctx.scheduleActivity(throws, 1, { retry: { maxAttempts: RETRIES } }),
  "passes what cannot be written": (ctx, { echo }) => ctx.scheduleActivity(echo, UNWRITABLE),
  "passes what cannot be read": (ctx, { echo }) => ctx.scheduleActivity(echo, UNREADABLE),
  "gets a result that cannot be written": (ctx, { echo }) => ctx.scheduleActivity(echo, "unwritable"),
  "gets a result that cannot be read": (ctx, { echo }) => ctx.scheduleActivity(echo, "unreadable"),
  "calls an activity whose schema throws": (ctx, { strict }) => ctx.scheduleActivity("strict", strict.name),
  "calls a definition whose schema throws": (ctx, { strict }) => ctx.scheduleActivity(strict, 1),
  "has a child that throws": (ctx, { child }) => ctx.scheduleSubOrchestration(child, 1),
  "has a child that returns what cannot be written": (ctx, { child }) =>
    ctx.scheduleSubOrchestration(child, "unwritable"),
  "has a child that cannot read its input": (ctx, { child }) =>
    ctx.scheduleSubOrchestration(child, UNREADABLE),
  "has a child whose schema throws": (ctx) => ctx.scheduleSubOrchestration("strict-child", 1),
  "returns what cannot be written": () => UNWRITABLE,
  "continues with what cannot be written": (ctx) => ctx.continueAsNew("parent", UNWRITABLE),
  "sets a status that cannot be written": (ctx) => ctx.setCustomStatus(UNWRITABLE),
  "sets an entry that cannot be written": (ctx) => ctx.kv.set("k", UNWRITABLE),
  "gets an entry that cannot be read": (ctx) => {
    ctx.kv.set("k", UNREADABLE);
    return ctx.kv.get("k");
  },
  "gets an entry whose schema throws": (ctx, _handlers, _make, schema) => {
    ctx.kv.set("k", 1);
    return ctx.kv.get(key("k", { schema }));
  },
  "waits for an event whose schema throws": (ctx, _handlers, _make, schema) =>
    ctx.race([ctx.waitForEvent(event("e", { schema })), ctx.scheduleTimer(1)]),
  "waits for a message that cannot be read": (ctx) => ctx.race([ctx.dequeue("q"), ctx.scheduleTimer(1)]),
  "waits for a message whose schema throws": (ctx, _handlers, _make, schema) =>
    ctx.race([ctx.dequeue(queue("r", { schema })), ctx.scheduleTimer(1)]),
  "fails in a branch": (ctx, _handlers, make) =>
    ctx.race([
      async (branch) => {
        await branch.scheduleTimer(1);
        throw make();
      },
    ]),
  "leaves a rejection behind": async (ctx, _handlers, make) => {
    void (async () => {
      await ctx.scheduleTimer(1);
      throw make();
    })();
    await ctx.scheduleTimer(2);
  },
};

/** Attempts of the retry policy. */
const RETRIES = 3;

interface Program {
  readonly make: Make;
  readonly steps: readonly string[];
  readonly catches: boolean;
  readonly issues: boolean;
  readonly live: boolean;
  readonly sqlite: boolean;
}

const program: fc.Arbitrary<Program> = fc.record({
  make: hostileThrown,
  steps: fc.array(fc.constantFrom(...Object.keys(STEPS)), { minLength: 1, maxLength: 5 }),
  catches: fc.boolean(),
  issues: fc.boolean(),
  live: fc.boolean(),
  sqlite: fc.boolean(),
});

const IS_DEFECT = new Set(["turn_failed_unexpectedly", "activity_handling_failed", "store_trouble"]);

async function run({ make, steps, catches, issues, live, sqlite }: Program): Promise<void> {
  const runs = new Map<string, number>();
  const schema = throwingSchema(make, issues);
  const returned = (input: unknown): unknown => {
    if (input === "unwritable") return UNWRITABLE;
    return input === "unreadable" ? UNREADABLE : input;
  };
  const handlers: Handlers = {
    throws: activity("throws", async (ctx) => {
      runs.set(ctx.idempotencyKey, (runs.get(ctx.idempotencyKey) ?? 0) + 1);
      throw make();
    }),
    echo: activity("echo", async (ctx, input: unknown) => {
      runs.set(ctx.idempotencyKey, (runs.get(ctx.idempotencyKey) ?? 0) + 1);
      return returned(input);
    }),
    strict: activity("strict", { input: schema }, async () => "never"),
    child: orchestration("child", async (_ctx, input: unknown) => {
      if (input === "unwritable") return UNWRITABLE;
      throw make();
    }),
    strictChild: orchestration("strict-child", { input: schema }, async () => "never"),
  };
  // A mistake would block it, and so does a schema of a wait that throws.
  const parent = orchestration("parent", { onDefect: "fail" }, async (ctx) => {
    for (const step of steps) {
      try {
        const result = await STEPS[step]?.(ctx, handlers, make, schema);
        if (result === UNWRITABLE) return result;
      } catch (error) {
        if (!catches) throw error;
      }
    }
    return "done";
  });
  const logger = new RecordingLogger();
  await using env = await TestEnvironment.create({
    orchestrations: [parent, handlers.child, handlers.strictChild],
    activities: [handlers.throws, handlers.echo, handlers.strict],
    codec: throwingCodec(make),
    logger,
    ...(!live && { liveExecutions: 0 }),
    ...(sqlite && {
      provider: (clock: VirtualClock): Promise<Provider> => SqliteProvider.open(":memory:", { clock }),
    }),
  });
  env.ignoreFailures();
  const instance = await env.start("parent", { instanceId: "p" });
  for (const step of steps) {
    if (step.includes("event")) await env.client.handle(parent, "p").raise("e", 1, KEEP);
    if (step.includes("message")) await env.client.handle(parent, "p").enqueue("r", 1, KEEP);
    if (step.includes("message")) await env.client.handle(parent, "p").enqueue("q", UNREADABLE, KEEP);
    await env.advance({ hours: 1 });
  }
  expect(instance.instanceId).toBe("p");
  const status = await env.provider.getInstanceStatus("p");
  expect(status?.status, `of ${steps.join(", ")}`).not.toBe("Running");
  if (status?.status === "Failed") expect(Object.keys(status.failure ?? {})).toEqual(["Application"]);
  for (const [call, count] of runs) expect(count, call).toBe(1);
  expect(runs.size).toBeLessThanOrEqual(RETRIES * steps.length);
  const defects = logger.entries.filter(({ fields }) => IS_DEFECT.has(String(fields["event"])));
  expect(defects).toEqual([]);
}

test("whatever is thrown, every run ends by itself, and no handler runs twice", async () => {
  await fc.assert(fc.asyncProperty(program, run), { seed: SEED, numRuns: runs(120) });
});
