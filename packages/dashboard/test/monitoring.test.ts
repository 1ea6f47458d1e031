/** `/metrics` and `/health`, on the handler and as functions. */
import { activity, Client, orchestration, ProviderError, Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it, vi } from "vitest";
import type { StoreOptions } from "../src/index.ts";
import { dashboard, healthHandler, metricsHandler, PrometheusMeter } from "../src/index.ts";
import { StoreGate } from "./support/store-gate.ts";
import { openStore } from "./support/stores.ts";

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

  it("are declared once, with one sum, where two runtimes have the same meter", () => {
    const meter = new PrometheusMeter();
    for (let runtime = 0; runtime < 2; runtime++) {
      meter.createCounter("starts").add(1, { name: "hello" });
      meter.createHistogram("seconds").record(2);
    }
    const text = meter.text();
    expect(text.match(/^# TYPE .*$/gm)).toEqual(["# TYPE starts counter", "# TYPE seconds histogram"]);
    expect(text).toContain('starts{name="hello"} 2\n');
    expect(text).toContain("seconds_count 2\n");
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
        const fails = () =>
          Promise.reject(new ProviderError({ code: "unavailable", operation: "x", message: "secret path" }));
        return { getQueueDepths: fails };
      },
    });
    const response = await healthHandler({ provider: down })(REQUEST);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("secret");
  });
});

describe("while the store hangs", () => {
  it("health answers 503 after two seconds, and again by the answer once it is there", async () => {
    const gate = new StoreGate();
    const clock = new VirtualClock();
    const health = healthHandler({ provider: gate.wrap(new MemoryProvider()), clock });
    gate.hold();
    const asked = health(REQUEST);
    await clock.advance(2_000);
    const answer = await asked;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ store: { ok: false, ms: 2_000, problem: "no answer yet" } });
    gate.open();
    expect((await health(REQUEST)).status).toBe(200);
  });

  it("/live answers 200 without a sign-in, and asks the store for nothing", async () => {
    const gate = new StoreGate();
    gate.hold();
    const handler = dashboard({ provider: gate.wrap(new MemoryProvider()), authorize: () => undefined });
    expect((await handler(new Request("http://127.0.0.1/live"))).status).toBe(200);
  });
});

const KEPT_MS = 10_000;

/** Asks both as a signed-in user, as scrapers and probes do. */
function bothOf(options: StoreOptions): () => Promise<void> {
  const handler = dashboard({ ...options, authorize: () => ({ user: "ada", role: "viewer" }) });
  return async () => {
    for (const path of ["metrics", "health"])
      expect((await handler(new Request(`http://127.0.0.1/${path}`))).status).toBe(200);
  };
}

describe("metrics and health", () => {
  it("share one read of the store, which is kept for ten seconds", async () => {
    const provider = new MemoryProvider();
    const reads = vi.spyOn(provider.admin, "getQueueDepths");
    const clock = new VirtualClock();
    const ask = bothOf({ provider, clock });
    await Promise.all([ask(), ask()]);
    await clock.advance(KEPT_MS - 1);
    await ask();
    expect(reads).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    await ask();
    expect(reads).toHaveBeenCalledTimes(2);
  });

  it.each(["sqlite", "cosmos"] as const)("count the blocked work of %s", async (name) => {
    await using store = await openStore(name);
    const { provider } = store;
    await new Client(provider).start(orchestration("without code", async () => {}));
    const fetched = await provider.fetchOrchestrationItem({ lockTimeoutMs: 30_000, pollTimeoutMs: 0 });
    if (fetched === undefined) throw new Error("nothing was fetched");
    const blocked = { reason: "missing-orchestration", detail: "without code" } as const;
    await provider.abandonOrchestrationItem(fetched.lockToken, { blocked, delayMs: 3_600_000 });
    const options = { provider };
    expect(await (await metricsHandler(options)(REQUEST)).text()).toContain("\nduroxide_blocked_work 1\n");
    expect(await (await healthHandler(options)(REQUEST)).json()).toMatchObject({ blocked: 1 });
  });

  it("ask Cosmos DB for no count of histories", async () => {
    await using endpoint = await CosmosEmulator.start({ port: 0 });
    const operations: string[] = [];
    await using provider = await CosmosProvider.connect({
      connectionString: endpoint.connectionString,
      membership: false,
      onRequest: ({ operation }) => operations.push(operation),
    });
    const clock = new VirtualClock();
    const ask = bothOf({ provider, clock });
    operations.length = 0;
    await ask();
    expect(operations).toContain("getQueueDepths");
    expect(operations).not.toContain("getSystemMetrics");
    operations.length = 0;
    await ask();
    expect(operations.filter((each) => each === "getQueueDepths")).toEqual([]);
  });
});
