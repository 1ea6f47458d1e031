/**
 * An observer never changes an outcome (docs/decisions/observers.md): a logger, a meter, a tracer or a callback that
 * fails in any way leaves results and histories as they are without it, and the process alive.
 */
import {
  activity,
  type Logger,
  type Meter,
  orchestration,
  type RuntimeOptions,
  type Tracer,
} from "@duroxide-ts/core";
import { context } from "@opentelemetry/api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { followContexts, Telemetry } from "../observe/telemetry.ts";
import { startEnvironment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";

type Failing = () => unknown;

const FAILURES: Readonly<Record<string, Failing>> = {
  throws: () => {
    throw new Error("observer");
  },
  rejects: () => Promise.reject(new Error("observer")),
  "rejects in work that it leaves running": () =>
    void Promise.resolve().then(() => Promise.reject("observer")),
  "never answers": () => new Promise(() => {}),
  "returns a hostile thenable": () => ({
    // biome-ignore lint/suspicious/noThenProperty: the case that is shown
    then: () => {
      throw new Error("observer");
    },
  }),
};

const flaky = activity("flaky", async (ctx) => {
  ctx.log.info({ n: 1n }, "tries");
  throw new Error("no");
});
const works = activity("works", async (ctx, value: number) => {
  ctx.log.debug({}, "works");
  return value + 1;
});
const child = orchestration("child", async (ctx, value: number) => ctx.scheduleActivity(works, value));

function parent(onRetry: Failing) {
  return orchestration("parent", async (ctx, value: number) => {
    ctx.log.warn("begins");
    const retry = { maxAttempts: 3, backoff: { kind: "none" }, onRetry: () => void onRetry() } as const;
    const why: unknown = await ctx
      .scheduleActivity(flaky, undefined, { retry })
      .catch((error) => error.message);
    ctx.scheduleActivity(works, 100);
    return [why, await ctx.scheduleSubOrchestration(child, value), await ctx.scheduleActivity(works, value)];
  });
}

const failingLogger = (fail: Failing): Logger => ({ debug: fail, info: fail, warn: fail, error: fail });

function failingMeter(fail: Failing, creates: boolean): Meter {
  const create = creates ? () => ({ add: fail, record: fail }) : (fail as () => never);
  return {
    createCounter: create,
    createHistogram: create,
    createObservableGauge: fail as () => object,
    addBatchObservableCallback: fail,
    removeBatchObservableCallback: fail,
  };
}

/** Makes a tracer that fails, or one whose spans fail. */
function failingTracer(fail: Failing, what: "startSpan" | "spans"): Tracer {
  const span = { spanContext: fail, setAttribute: fail, setStatus: fail, recordException: fail, end: fail };
  return { startSpan: what === "startSpan" ? fail : () => span } as unknown as Tracer;
}

interface Observed {
  readonly options: Partial<RuntimeOptions>;
  readonly onRetry?: Failing;
}

const OBSERVERS: Readonly<Record<string, (fail: Failing) => Observed>> = {
  logger: (fail) => ({ options: { logger: failingLogger(fail) } }),
  meter: (fail) => ({ options: { meter: failingMeter(fail, false) } }),
  "instruments of a meter": (fail) => ({ options: { meter: failingMeter(fail, true) } }),
  tracer: (fail) => ({ options: { tracer: failingTracer(fail, "startSpan") } }),
  "spans of a tracer": (fail) => ({ options: { tracer: failingTracer(fail, "spans") } }),
  onStoreTrouble: (fail) => ({ options: { onStoreTrouble: fail } }),
  onRetry: (fail) => ({ options: {}, onRetry: fail }),
};

/** Rejections that would end the process. */
let unhandled: unknown[] = [];
let runners: NodeJS.UnhandledRejectionListener[] = [];
beforeEach(() => {
  unhandled = [];
  runners = process.listeners("unhandledRejection");
  process
    .removeAllListeners("unhandledRejection")
    .on("unhandledRejection", (reason) => unhandled.push(reason));
});
afterEach(() => {
  process.removeAllListeners("unhandledRejection");
  for (const listener of runners) process.on("unhandledRejection", listener);
});

/** The result, the histories and the warnings of observers, of a run whose store fails for a while. */
async function run({ options, onRetry = () => {} }: Observed) {
  const faults = new Faults();
  const main = parent(onRetry);
  await using env = await startEnvironment({
    orchestrations: [main, child],
    activities: [flaky, works],
    options,
    wrap: faults.wrap,
  });
  faults.on("fetchOrchestrationItem", (call) => {
    if (call <= 3) throw fault("fetchOrchestrationItem", "unavailable");
  });
  const result = await env.run(main, { instanceId: "i", input: 1 });
  await env.advance(1_000);
  const told = env.log.entries.filter(({ fields }) => fields["event"] === "observer_failed");
  await new Promise((resolve) => setImmediate(resolve));
  return { result, histories: await env.allHistories(), told };
}

describe.each(Object.entries(OBSERVERS))("the %s", (name, observers) => {
  it.each(Object.entries(FAILURES))("that %s changes no outcome", async (how, fail) => {
    const alone = await run({ options: {} });
    const watched = await run(observers(fail));

    expect(watched.result).toEqual(["no", 2, 2]);
    expect(linesOf(watched.histories)).toEqual(linesOf(alone.histories));
    expect(unhandled).toEqual([]);
    const isSilent = name === "logger" || how === "never answers" || how === "returns a hostile thenable";
    if (isSilent || name === "onRetry") return;
    expect(watched.told.map(({ level, fields }) => `${level} ${String(fields["observer"])}`)).toEqual([
      `warn ${name.split(" ").at(-1)}`,
    ]);
  });
});

/** Drops the numbers of turns, which only a meter has. */
function linesOf(histories: Readonly<Record<string, readonly string[]>>): unknown {
  return JSON.parse(JSON.stringify(histories));
}

describe("the context manager of OpenTelemetry", () => {
  beforeAll(followContexts);
  afterAll(() => context.disable());

  it.each([
    [
      "throws",
      () => {
        throw new Error("observer");
      },
    ],
    ["calls nothing", () => undefined],
    ["calls twice", (_context: unknown, call: () => unknown) => [call(), call()]],
    [
      "throws after its call",
      (_context: unknown, call: () => unknown) => {
        call();
        throw new Error("observer");
      },
    ],
  ])("that %s has every handler run once", async (_how, withContext) => {
    const { tracer } = new Telemetry();
    const hostile = { ...context, active: withContext, with: withContext, bind: withContext };
    let runs = 0;
    const once = activity("once", async () => ++runs);
    const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity(once));
    await using env = await startEnvironment({
      orchestrations: [calls],
      activities: [once],
      options: { tracer },
    });
    context.disable();
    context.setGlobalContextManager({ ...hostile, enable: () => hostile, disable: () => hostile } as never);
    const handle = await env.client.start(calls, { instanceId: "i" });

    expect(await env.finish(handle)).toBe(1);
    expect(runs).toBe(1);
    expect(unhandled).toEqual([]);
    followContexts();
  });
});
