/** `/metrics` and `/health`, on the handler and as functions. */
import { activity, Client, orchestration, ProviderError, Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { dashboard, healthHandler, metricsHandler, PrometheusMeter } from "../src/index.ts";

const REQUEST = new Request("http://127.0.0.1/metrics");

async function metricsAfterOne(): Promise<string> {
  const provider = new MemoryProvider();
  const meter = new PrometheusMeter();
  const greet = activity('say "hi"\\', async () => "hi");
  const hello = orchestration("hello", async (ctx) => ctx.scheduleActivity(greet));
  const runtime = await Runtime.start({
    provider,
    orchestrations: [hello],
    activities: [greet],
    meter,
    logger: silentLogger,
  });
  await (await new Client(provider).start(hello)).result();
  await runtime.shutdown();
  return (await metricsHandler({ provider, meter })(REQUEST)).text();
}

describe("metrics", () => {
  it("are the gauges of the store and the counters and histograms of the runtime, each declared once", async () => {
    const text = await metricsAfterOne();
    expect(text).toContain("# TYPE duroxide_active_orchestrations gauge\nduroxide_active_orchestrations 0\n");
    expect(text).toContain("duroxide_worker_queue_depth 0\n");
    expect(text).toMatch(/^duroxide_orchestration_starts_total\{.*orchestration_name="hello".*\} 1$/m);
    expect(text).toMatch(/^duroxide_orchestration_duration_seconds_bucket\{.*le="\+Inf"\} 1$/m);
    expect(text).toMatch(/^duroxide_orchestration_duration_seconds_count\{.*\} 1$/m);
    const declared = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(declared).size).toBe(declared.length);
  });

  it("escape the values of labels", async () => {
    expect(await metricsAfterOne()).toContain('activity_name="say \\"hi\\"\\\\"');
  });

  it("have buckets that contain the ones before", async () => {
    const meter = new PrometheusMeter();
    const histogram = meter.createHistogram("h", { advice: { explicitBucketBoundaries: [1, 2] } });
    for (const value of [0.5, 1, 1.5, 9]) histogram.record(value);
    expect(meter.text()).toContain(
      'h_bucket{le="1"} 2\nh_bucket{le="2"} 3\nh_bucket{le="+Inf"} 4\nh_sum 12\nh_count 4\n',
    );
  });

  it("are for those who are signed in, on the handler of the dashboard", async () => {
    const handler = dashboard({ provider: new MemoryProvider(), authorize: () => undefined });
    expect((await handler(REQUEST)).status).toBe(401);
    expect((await handler(new Request("http://127.0.0.1/health"))).status).toBe(401);
  });
});

describe("health", () => {
  it("is 200 with how the work stands", async () => {
    const response = await healthHandler({ provider: new MemoryProvider() })(REQUEST);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ store: { ok: true }, blocked: 0 });
  });

  it("is 503 while the store does not answer, without its message", async () => {
    const down = new Proxy(new MemoryProvider(), {
      get(target, key) {
        if (key !== "admin") return Reflect.get(target, key, target) as unknown;
        return {
          getQueueDepths: () =>
            Promise.reject(
              new ProviderError({ code: "unavailable", operation: "x", message: "secret path" }),
            ),
        };
      },
    });
    const response = await healthHandler({ provider: down })(REQUEST);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("secret");
  });
});
