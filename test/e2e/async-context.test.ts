/**
 * Async contexts (AsyncLocalStorage) of the program do not reach work that they did not begin: the runtime outlives the
 * request that started it, and what one handler enters is not seen by the next (docs/decisions/observers.md).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { activity, type Logger, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { startEnvironment } from "../support/environment.ts";

const request = new AsyncLocalStorage<string>();
const tenant = new AsyncLocalStorage<string>();

/** Places at which code ran, each with the contexts that it saw. */
const seen = new Set<string>();
const note = (where: string): void => {
  seen.add(`${where}: ${request.getStore() ?? "none"}, ${tenant.getStore() ?? "none"}`);
};

const enters = activity("enters", async (ctx, name: string) => {
  note("handler, at first");
  ctx.signal.addEventListener("abort", () => note("a signal"));
  tenant.enterWith(name);
  await undefined;
  note(`handler of ${name}, later`);
});
const waits = activity("waits", (ctx) => {
  ctx.signal.addEventListener("abort", () => note("a signal"));
  return new Promise<void>(() => {});
});
const steps = orchestration("steps", async (ctx, name: string) => {
  note("orchestration, at first");
  tenant.enterWith(`code of ${name}`);
  await ctx.scheduleActivity(enters, name);
  note(`orchestration of ${name}, later`);
  await ctx.scheduleTimer(10);
  ctx.onCancel(async () => note("clean-up"));
  await ctx.scheduleActivity(waits);
});

const levels = ["debug", "info", "warn", "error"] as const;
const logger = Object.fromEntries(levels.map((level) => [level, () => note("log")])) as unknown as Logger;

describe("a runtime that a request has started", () => {
  it.each([1_000, 0])(
    "shows none of it to handlers, code, logs and signals (%i executions live)",
    async (live) => {
      seen.clear();
      const env = await request.run("the first request", async () =>
        startEnvironment({
          orchestrations: [steps],
          activities: [enters, waits],
          options: { logger, liveExecutions: live },
        }),
      );
      for (const name of ["ada", "bob"]) {
        const handle = await request.run(`the start of ${name}`, () =>
          env.client.start(steps, { instanceId: name, input: name }),
        );
        await env.advance(100);
        if (name === "ada") await request.run("the cancelling request", () => handle.cancel("enough"));
      }
      await env.advance(60_000);
      await request.run("the last request", () => env.runtime.shutdown({ graceMs: 0 }));
      await env[Symbol.asyncDispose]();

      const later = (name: string): string[] => [
        `handler of ${name}, later: none, ${name}`,
        `orchestration of ${name}, later: none, code of ${name}`,
      ];
      const expected = ["handler, at first", "orchestration, at first", "a signal", "clean-up", "log"];
      expect([...seen].sort()).toEqual(
        [...expected.map((where) => `${where}: none, none`), ...later("ada"), ...later("bob")].sort(),
      );
    },
  );
});

it("a listener of a store, and its warnings, see none of the request whose write came first", async () => {
  seen.clear();
  await using provider = await SqliteProvider.open(":memory:", { onWarning: () => note("warning") });
  await using _runtime = await Runtime.start({ provider, orchestrations: [steps], logger });
  provider.watchInstance("lost", () => note("listener"));
  await request.run("a request", async () => {
    await provider.enqueueForOrchestrator({
      kind: "QueueMessage",
      instance: "lost",
      name: "orders",
      data: "1",
    } as never);
  });
  await expect
    .poll(() => [...seen].filter((where) => !where.startsWith("log")))
    .toEqual(["warning: none, none"]);
  expect([...seen].filter((where) => where.startsWith("log"))).toEqual(["log: none, none"]);
});
