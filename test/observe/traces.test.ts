/**
 * One trace from the client through orchestrations and their children into activities, whichever process runs them;
 * each span once, under the span of the start that it belongs to.
 */

import { activity, Client, event, orchestration, type Provider } from "@duroxide-ts/core";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { beforeAll, describe, expect, test } from "vitest";
import { type Environment, type EnvironmentOptions, startEnvironment } from "../support/environment.ts";
import { followContexts, Telemetry } from "./telemetry.ts";

beforeAll(followContexts);

const approved = event("approved");
const pack = activity("pack", async () => "packed");
const charge = activity("charge", async () => "charged");
const shipping = orchestration("shipping", (ctx) => ctx.scheduleActivity(pack));
const checkout = orchestration("checkout", async (ctx) => {
  await ctx.scheduleActivity(charge);
  await ctx.waitForEvent(approved);
  return ctx.scheduleSubOrchestration(shipping, undefined);
});

const HANDLERS = { activities: [pack, charge], orchestrations: [checkout, shipping] };

async function start(
  telemetry: Telemetry,
  options: EnvironmentOptions,
  liveExecutions = 1_000,
): Promise<Environment> {
  const { tracer } = telemetry;
  return startEnvironment({ ...options, options: { tracer, liveExecutions, ...options.options } });
}

function clientOf(env: Environment, telemetry: Telemetry): Client {
  return new Client(env.provider, { clock: env.clock, tracer: telemetry.tracer });
}

const CHECKOUT_TREE = [
  "raise approved",
  "start checkout",
  "start checkout > activity charge",
  "start checkout > orchestration checkout",
  "start checkout > start shipping",
  "start checkout > start shipping > activity pack",
  "start checkout > start shipping > orchestration shipping",
];

describe.each([
  ["kept in memory", 1_000],
  ["replayed at every turn", 0],
])("executions that are %s", (_path, liveExecutions) => {
  test("make one tree, each span once", async () => {
    const telemetry = new Telemetry();
    await using env = await start(telemetry, HANDLERS, liveExecutions);
    const client = clientOf(env, telemetry);
    const handle = await client.start(checkout, { instanceId: "i" });
    await env.settle();
    await handle.raise(approved);
    await env.finish(handle);
    expect(telemetry.tree()).toEqual(CHECKOUT_TREE);
  });

  test("make the same tree when another process goes on", async () => {
    const telemetry = new Telemetry();
    await using env = await start(telemetry, { ...HANDLERS, file: true }, liveExecutions);
    await clientOf(env, telemetry).start(checkout, { instanceId: "i" });
    await env.settle();
    await env.advance(60_000);
    await env.restart();
    await clientOf(env, telemetry).handle(checkout, "i").raise(approved);
    await env.finish(clientOf(env, telemetry).handle(checkout, "i"));

    expect(telemetry.tree()).toEqual(CHECKOUT_TREE);
    const { startTime, endTime } = telemetry.span("orchestration checkout");
    expect(endTime[0] - startTime[0]).toBeGreaterThanOrEqual(60);
  });
});

test("spans say what they belong to and how it ended", async () => {
  const telemetry = new Telemetry();
  await using env = await start(telemetry, HANDLERS);
  const handle = await clientOf(env, telemetry).start(shipping, { instanceId: "i" });
  await env.finish(handle);

  const asked = telemetry.span("start shipping");
  expect(asked.kind).toBe(SpanKind.PRODUCER);
  const ran = telemetry.span("activity pack");
  expect(ran.kind).toBe(SpanKind.CONSUMER);
  expect(ran.attributes).toMatchObject({
    "duroxide.instance_id": "i",
    "duroxide.execution_id": 1,
    "duroxide.activity_name": "pack",
    "duroxide.activity_id": 2,
    "duroxide.attempt": 1,
    "duroxide.outcome": "success",
  });
  expect(telemetry.span("orchestration shipping").attributes).toMatchObject({
    "duroxide.instance_id": "i",
    "duroxide.execution_id": 1,
    "duroxide.orchestration_name": "shipping",
    "duroxide.orchestration_version": "1.0.0",
    "duroxide.outcome": "completed",
    "duroxide.history_events": 4,
  });
});

test("failures are recorded with what was thrown", async () => {
  const explode = activity("explode", async (): Promise<string> => {
    throw new TypeError("boom");
  });
  const fails = orchestration("fails", (ctx) => ctx.scheduleActivity(explode));
  const telemetry = new Telemetry();
  await using env = await start(telemetry, { activities: [explode], orchestrations: [fails] });
  await env.failure(await clientOf(env, telemetry).start(fails, { instanceId: "i" }));

  const ran = telemetry.span("activity explode");
  expect(ran.status).toEqual({ code: SpanStatusCode.ERROR, message: "boom" });
  expect(ran.events[0]?.attributes).toMatchObject({
    "exception.type": "TypeError",
    "exception.stacktrace": expect.stringContaining("traces.test.ts"),
  });
  const failed = telemetry.span("orchestration fails");
  expect(failed.status).toEqual({ code: SpanStatusCode.ERROR, message: "boom" });
  expect(failed.events[0]?.attributes).toMatchObject({
    "exception.type": "TypeError",
    "exception.stacktrace": expect.stringContaining("traces.test.ts"),
  });
});

test("a handler's own spans nest in its activity's, and a start in the caller's span", async () => {
  const telemetry = new Telemetry();
  const { tracer } = telemetry;
  const query = activity("query", async () => {
    await Promise.resolve();
    tracer.startSpan("SELECT", {}, context.active()).end();
    return "row";
  });
  const reads = orchestration("reads", (ctx) => ctx.scheduleActivity(query));
  await using env = await start(telemetry, { activities: [query], orchestrations: [reads] });
  const request = tracer.startSpan("GET /order");
  const inRequest = trace.setSpan(context.active(), request as Parameters<typeof trace.setSpan>[1]);
  const handle = await context.with(inRequest, () =>
    clientOf(env, telemetry).start(reads, { instanceId: "i" }),
  );
  request.end();
  await env.finish(handle);

  expect(telemetry.tree()).toEqual([
    "GET /order",
    "GET /order > start reads",
    "GET /order > start reads > activity query",
    "GET /order > start reads > activity query > SELECT",
    "GET /order > start reads > orchestration reads",
  ]);
});

test("each execution of a continued orchestration has a trace of its own, linked to the one before", async () => {
  const loop = orchestration("loop", async (ctx, n: number): Promise<string> => {
    await ctx.scheduleActivity(charge);
    return n > 0 ? ctx.continueAsNew(loop, n - 1) : "done";
  });
  const telemetry = new Telemetry();
  await using env = await start(telemetry, { activities: [charge], orchestrations: [loop] });
  await env.finish(await clientOf(env, telemetry).start(loop, { instanceId: "i", input: 1 }));

  const twice = ["start loop", "start loop > activity charge", "start loop > orchestration loop"];
  expect(telemetry.tree()).toEqual(twice.flatMap((line) => [line, line]));
  const [first, second] = telemetry.spans.filter(({ name }) => name === "start loop");
  expect(second?.links.map((link) => link.context.spanId)).toEqual([first?.spanContext().spanId]);
  expect(second?.spanContext().traceId).not.toBe(first?.spanContext().traceId);
});

test("a start without a trace gets one from the runtime", async () => {
  const telemetry = new Telemetry();
  await using env = await start(telemetry, HANDLERS);
  await env.run(shipping);
  expect(telemetry.tree()).toEqual([
    "start shipping",
    "start shipping > activity pack",
    "start shipping > orchestration shipping",
  ]);
});

// stamp-trace.T1
test("an execution that began without a tracer goes on with spans of their own", async () => {
  const telemetry = new Telemetry();
  await using env = await startEnvironment({ ...HANDLERS, file: true });
  const { instanceId } = await env.client.start(checkout, { instanceId: "i" });
  await env.settle();
  await env.restart({ options: { tracer: telemetry.tracer } });
  await env.client.handle(checkout, instanceId).raise(approved);
  await env.finish(env.client.handle(checkout, instanceId));
  expect(telemetry.tree()).toEqual([
    "orchestration checkout",
    "start shipping",
    "start shipping > activity pack",
    "start shipping > orchestration shipping",
  ]);
});

test("a delivery that is repeated makes a span of its own, which says which delivery it was", async () => {
  let calls = 0;
  const slow = activity("slow", () => (calls++ === 0 ? new Promise<string>(() => {}) : "done"));
  const once = orchestration("once", (ctx) => ctx.scheduleActivity(slow));
  const telemetry = new Telemetry();
  await using env = await start(telemetry, { activities: [slow], orchestrations: [once], file: true });
  await clientOf(env, telemetry).start(once, { instanceId: "i" });
  await env.settle();
  await env.kill();
  await env.start();
  await env.finish(clientOf(env, telemetry).handle(once, "i"));

  const settled = telemetry.spans.filter(({ attributes }) => attributes["duroxide.outcome"] === "success");
  expect(settled.map(({ attributes }) => attributes["duroxide.attempt"])).toEqual([2]);
  expect(telemetry.tree()).toContain("start once > activity slow");
});

test("what a runtime does is not part of the span in which it was started", async () => {
  const telemetry = new Telemetry();
  const seen = new Set<unknown>();
  const wrap = (provider: Provider): Provider =>
    new Proxy(provider, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          seen.add(trace.getActiveSpan());
          return value.apply(target, args) as unknown;
        };
      },
    });
  const request = telemetry.tracer.startSpan("GET /start") as Parameters<typeof trace.setSpan>[1];
  const inRequest = trace.setSpan(context.active(), request);
  await using env = await context.with(inRequest, () => start(telemetry, { ...HANDLERS, wrap }));
  await env.run(shipping);
  expect([...seen]).toEqual([undefined]);
});
