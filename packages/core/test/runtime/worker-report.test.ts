/** A runtime reports itself to its store, seldom, and nothing depends on it. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import {
  activity,
  Client,
  type Logger,
  orchestration,
  Runtime,
  type RuntimeOptions,
} from "@duroxide-ts/core";
import type { WorkerReport } from "@duroxide-ts/core/stores";
import { MemoryProvider, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { PACKAGE_VERSION } from "../../src/runtime/package-version.ts";

const charge = activity("charge", async () => "charged");
const first = orchestration("checkout", { version: "1.0.0" }, async () => "done");
const second = orchestration("checkout", { version: "2.0.0" }, async () => "done");

interface Fixture {
  readonly clock: VirtualClock;
  readonly provider: MemoryProvider;
  start(options?: Partial<RuntimeOptions>): Promise<Runtime>;
}

function fixture(): Fixture {
  const clock = new VirtualClock();
  const provider = new MemoryProvider({ clock });
  return {
    clock,
    provider,
    start: (options) =>
      Runtime.start({ provider, clock, orchestrations: [first, second], activities: [charge], ...options }),
  };
}

/** The provider with another `reportWorker`. */
function reporting(
  provider: MemoryProvider,
  report: (workerId: string, report: WorkerReport | undefined) => Promise<void>,
): MemoryProvider {
  return Object.assign(provider, { admin: { ...provider.admin, reportWorker: report } });
}

// worker-report.WR3
it("is listed with its host, handlers and slots from its start to its end", async () => {
  const { clock, provider, start } = fixture();
  const { admin } = new Client(provider);
  const startedAtMs = clock.now();
  const runtime = await start({
    workerConcurrency: 7,
    orchestrationConcurrency: 5,
    workerTagFilter: { kind: "default-and", tags: ["gpu"] },
  });
  await clock.advance(31_000);
  const [worker, ...others] = await admin.workers();
  expect(others).toEqual([]);
  expect(worker).toEqual({
    workerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    host: hostname(),
    pid: process.pid,
    startedAtMs,
    lastSeenAtMs: startedAtMs + 30_000,
    packageVersion: PACKAGE_VERSION,
    orchestrations: [
      { name: "checkout", version: "1.0.0" },
      { name: "checkout", version: "2.0.0" },
    ],
    activities: expect.arrayContaining(["charge"]),
    tags: ["gpu"],
    turns: { busy: 0, all: 5 },
    activitySlots: { busy: 0, all: 7 },
  });
  await runtime.shutdown();
  expect(await admin.workers()).toEqual([]);
});

// worker-report.WR3
it("is listed while its last activity runs, and not after its end", async () => {
  const { clock, provider, start } = fixture();
  const open = Promise.withResolvers<string>();
  const slow = activity("slow", async () => open.promise);
  const waiting = orchestration("waiting", async (ctx) => ctx.scheduleActivity(slow));
  const runtime = await start({ orchestrations: [waiting], activities: [slow] });
  const client = new Client(provider, { clock });
  await client.start(waiting, { instanceId: "a" });
  await clock.advance(31_000);
  const shutdown = runtime.shutdown();
  await clock.settle();
  expect(await client.admin.workers()).toHaveLength(1);
  open.resolve("done");
  await shutdown;
  expect(await client.admin.workers()).toEqual([]);
});

it("counts its running activities as busy", async () => {
  const { clock, provider, start } = fixture();
  const open = Promise.withResolvers<string>();
  const slow = activity("slow", async () => open.promise);
  const waiting = orchestration("waiting", async (ctx) => ctx.scheduleActivity(slow));
  await using _runtime = await start({ orchestrations: [waiting], activities: [slow] });
  const client = new Client(provider, { clock });
  await client.start(waiting, { instanceId: "a" });
  await clock.advance(31_000);
  expect((await client.admin.workers())[0]?.activitySlots).toEqual({ busy: 1, all: 100 });
  open.resolve("done");
});

// worker-report.WR1
it("writes once at its start and every 30 s, and waits for a slow store", async () => {
  const { clock, provider, start } = fixture();
  const timesMs: number[] = [];
  const startedAtMs = clock.now();
  const slow = reporting(provider, async (_workerId, report) => {
    if (report === undefined) return;
    timesMs.push(clock.now() - startedAtMs);
    await new Promise<void>((resolve) => clock.schedule(timesMs.length === 2 ? 100_000 : 0, resolve));
  });
  await using _runtime = await start({ provider: slow });
  await clock.advance(200_000);
  expect(timesMs).toEqual([0, 30_000, 160_000, 190_000]);
});

// worker-report.WR2
it("is not disturbed by a report that fails", async () => {
  const { clock, provider, start } = fixture();
  const entries: string[] = [];
  const logger: Logger = {
    debug: ({ event }) => entries.push(`debug ${String(event)}`),
    info: () => {},
    warn: ({ event }) => entries.push(`warn ${String(event)}`),
    error: ({ event }) => entries.push(`error ${String(event)}`),
  };
  const failing = reporting(provider, async () => {
    throw new Error("no such table");
  });
  await using _runtime = await start({ provider: failing, logger });
  await clock.advance(31_000);
  const client = new Client(provider, { clock });
  const handle = await client.start(first, { instanceId: "a" });
  await clock.advance(1_000);
  expect(await handle.result()).toBe("done");
  expect(entries.filter((entry) => entry.includes("worker"))).toEqual([
    "debug worker_not_reported",
    "debug worker_not_reported",
  ]);
  expect(entries.filter((entry) => !entry.startsWith("debug"))).toEqual([]);
});

it("is not listed with reportWorker: false", async () => {
  const { clock, provider, start } = fixture();
  await using _silent = await start({ reportWorker: false });
  await clock.advance(31_000);
  expect(await new Client(provider).admin.workers()).toEqual([]);
});

it("reports the version of its package", () => {
  const manifest = new URL("../../package.json", import.meta.url);
  expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({ version: PACKAGE_VERSION });
});
