/** Loggers that read the active span get the trace of the instance that an entry is about. */
import { activity, Client, type LogFields, type Logger, orchestration } from "@duroxide-ts/core";
import { trace } from "@opentelemetry/api";
import { beforeAll, expect, test } from "vitest";
import { startEnvironment } from "../support/environment.ts";
import { followContexts, Telemetry } from "./telemetry.ts";

beforeAll(followContexts);

interface Traced {
  readonly logger: Logger;
  /** The trace and the span that were active at an entry, by the entry's event or message. */
  readonly active: Map<unknown, { readonly traceId: string; readonly spanId: string } | undefined>;
}

function tracedLogger(): Traced {
  const active: Traced["active"] = new Map();
  const write = (fields: LogFields, message: string): void => {
    active.set(fields["event"] ?? message, trace.getActiveSpan()?.spanContext());
  };
  return { logger: { debug: write, info: write, warn: write, error: write }, active };
}

const pay = activity("pay", async (ctx): Promise<string> => {
  ctx.log.info({}, "in the activity");
  throw new Error("declined");
});
const job = orchestration("job", async (ctx) => {
  ctx.log.info("in the orchestration");
  return ctx.scheduleActivity(pay);
});
const lost = orchestration("lost", async () => "has no handler");

test.each([
  ["a client with a tracer", true],
  ["a client without one", false],
])("each entry about an instance of %s has its trace active", async (_client, isTraced) => {
  const telemetry = new Telemetry();
  const { tracer } = telemetry;
  const { logger, active } = tracedLogger();
  const handlers = { activities: [pay], orchestrations: [job] };
  await using env = await startEnvironment({ ...handlers, options: { tracer, logger } });
  const client = new Client(env.provider, { clock: env.clock, logger, ...(isTraced && { tracer }) });
  await env.failure(await client.start(job, { instanceId: "a" }));
  const { traceId } = telemetry.span("start job").spanContext();
  const { spanId } = telemetry.span("activity pay").spanContext();
  for (const entry of ["orchestration_started", "in the orchestration", "orchestration_failed"]) {
    expect([entry, active.get(entry)?.traceId]).toEqual([entry, traceId]);
  }
  for (const entry of ["activity_started", "in the activity", "activity_failed"]) {
    expect([entry, active.get(entry)]).toMatchObject([entry, { traceId, spanId }]);
  }
  expect(active.get("runtime_started")).toBeUndefined();
});

test("an entry about an instance that is blocked has its trace active", async () => {
  const telemetry = new Telemetry();
  const { tracer } = telemetry;
  const { logger, active } = tracedLogger();
  await using env = await startEnvironment({ orchestrations: [job], options: { tracer, logger } });
  const client = new Client(env.provider, { clock: env.clock, tracer, logger });
  await client.start(lost, { instanceId: "b" });
  await client.start(job, { instanceId: "c" });
  await env.advance(60_000);
  expect(active.get("orchestration_unregistered")?.traceId).toBe(
    telemetry.span("start lost").spanContext().traceId,
  );
  expect(active.get("activity_unregistered")?.traceId).toBe(
    telemetry.span("start job").spanContext().traceId,
  );
});
