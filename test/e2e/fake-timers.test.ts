/**
 * Fake timers of a user's tests: the runtime, SQLite and the test environment keep the time that they had before, and the
 * globals are whole afterwards (host/originals.ts, guard/replace.ts).
 */
import { mock } from "node:test";
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { afterEach, describe, expect, it, vi } from "vitest";

const add = activity("add", async (_ctx, n: number) => n + 1);
const adds = orchestration("adds", async (ctx, n: number) => {
  const more = await ctx.scheduleActivity(add, n);
  await ctx.scheduleTimer(20);
  return ctx.scheduleActivity(add, more);
});
const handlers = { orchestrations: [adds], activities: [add], logger: silentLogger };

/** Each installs, and returns a function that uninstalls. */
const FAKES = {
  "vi.useFakeTimers()": () => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    return () => void vi.useRealTimers();
  },
  "vi.useFakeTimers() of everything": () => {
    vi.useFakeTimers({
      toFake: [
        "setTimeout",
        "clearTimeout",
        "setInterval",
        "clearInterval",
        "setImmediate",
        "clearImmediate",
        "Date",
        "performance",
        "hrtime",
        "nextTick",
        "queueMicrotask",
      ],
    });
    return () => void vi.useRealTimers();
  },
  "vi.useFakeTimers() of Date": () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1e12 });
    return () => void vi.useRealTimers();
  },
  "mock.timers of node:test": () => {
    mock.timers.enable({ apis: ["setTimeout", "setInterval", "setImmediate", "Date"] });
    return () => mock.timers.reset();
  },
};

const globals = () => ({ Date, setTimeout, setInterval, setImmediate, now: Date.now, perf: performance.now });
const before = globals();

let uninstall = (): void => {};
afterEach(async () => {
  uninstall();
  await expect.poll(globals).toEqual(before);
  expect(new Date().constructor).toBe(before.Date);
});

async function onSqlite(duringRun: () => void): Promise<number> {
  await using provider = await SqliteProvider.open(":memory:");
  const runtime = await Runtime.start({ provider, ...handlers });
  duringRun();
  const result = await (await new Client(provider).start(adds, { input: 1 })).result();
  await runtime.shutdown();
  return result;
}

describe.each(Object.entries(FAKES))("beside %s", (_name, install) => {
  it("a test environment runs", async () => {
    uninstall = install();
    await using env = await TestEnvironment.create(handlers);
    const run = await env.start(adds, { input: 1 });
    await env.advance({ seconds: 1 });
    expect(await run.result()).toBe(3);
  });

  it("a runtime on SQLite runs that starts after them", async () => {
    uninstall = install();
    expect(await onSqlite(() => {})).toBe(3);
  });

  it("a runtime on SQLite goes on that was started before them", async () => {
    const install_ = (): void => {
      uninstall = install();
    };
    expect(await onSqlite(install_)).toBe(3);
  });
});
