/** Tests what clients see of instances, and which of their calls are refused. */
import {
  CancelledError,
  event,
  InvalidInputError,
  OrchestrationFailedError,
  orchestration,
  TimeoutError,
} from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, failureOf, started } from "../support/one-program.ts";
import { onEveryStore } from "../support/scenario.ts";

const waits = orchestration("waits", async (ctx) => ctx.waitForEvent<string>("go"));
const fails = orchestration("fails", { onDefect: "fail" }, async () => {
  throw Object.assign(new RangeError("out of range"), { limit: 5 });
});

describe("a status", () => {
  onEveryStore("goes from NotFound over Running to Completed", async (start) => {
    const env = await start({ orchestrations: [waits] });
    const handle = env.client.handle(waits, "i");
    expect(await handle.status()).toEqual({ status: "NotFound" });
    await env.begin(waits);
    expect(await handle.status()).toMatchObject({ status: "Running", executionId: 1 });
    await handle.raise("go", "there");
    await env.settle();
    expect(await handle.status()).toMatchObject({ status: "Completed", output: "there" });
  });

  onEveryStore("is Failed with details and message, also where the instance was cancelled", async (start) => {
    const env = await start({ orchestrations: [waits, fails] });
    const failed = await env.client.start(fails, { instanceId: "failed" });
    const cancelled = await env.client.start(waits, { instanceId: "cancelled" });
    await cancelled.cancel("enough");
    await env.settle();

    expect(await failed.status()).toMatchObject({ status: "Failed", message: "out of range" });
    expect(await cancelled.status()).toMatchObject({
      status: "Cancelled",
      reason: "enough",
      message: "canceled: enough",
    });
  });

  onEveryStore("is Running between two executions", async (start) => {
    const moves = orchestration(
      "moves",
      async (ctx, n: number): Promise<unknown> =>
        n === 0 ? ctx.continueAsNew("moves", 1) : ctx.waitForEvent("go"),
    );
    const { handle } = await begun(start, moves, { input: 0 });

    expect(await handle.status()).toMatchObject({ status: "Running", executionId: 2 });
  });
});

describe("a result", () => {
  onEveryStore("is waited for, also before the instance exists", async (start) => {
    const env = await start({ orchestrations: [waits] });
    env.needsVirtualTime("it moves time");
    const handle = env.client.handle(waits, "i");
    const result = handle.result();
    await env.advance(10_000);
    await env.client.start(waits, { instanceId: "i" });
    await env.advance(10_000);
    await handle.raise("go", "at last");

    expect(await env.until(result)).toBe("at last");
  });

  onEveryStore("is an OrchestrationFailedError with what was thrown as its cause", async (start) => {
    const error = await failureOf(start, fails);

    expect(error).toBeInstanceOf(OrchestrationFailedError);
    expect(error.cause).toMatchObject({ name: "RangeError", message: "out of range", limit: 5 });
  });

  onEveryStore("that does not come in time is a TimeoutError; the instance goes on", async (start) => {
    const env = await start({ orchestrations: [waits] });
    env.needsVirtualTime("it waits for five minutes");
    const handle = await env.client.start(waits, { instanceId: "i" });

    const error = await env.until(
      handle.result({ timeout: { minutes: 5 } }).catch((thrown: unknown) => thrown),
    );
    const atOnce = await handle.result({ timeout: 0 }).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(TimeoutError);
    expect(atOnce).toMatchObject({ code: "timeout" });
    expect(await handle.status()).toMatchObject({ status: "Running" });
  });

  onEveryStore("is given up when the signal aborts", async (start) => {
    const { env, handle } = await started(start, waits);
    const controller = new AbortController();
    const result = handle.result({ signal: controller.signal }).catch((thrown: unknown) => thrown);
    await env.advance(1_000);
    controller.abort("gone home");

    expect(await env.until(result)).toBeInstanceOf(CancelledError);
  });

  onEveryStore(
    "of an instance that has ended is there at once, as often as it is asked for",
    async (start) => {
      const { env, handle } = await begun(start, waits);
      await handle.raise("go", "done");
      await env.finish(handle);

      expect([await handle.result(), await handle.result({ timeout: 0 })]).toEqual(["done", "done"]);
    },
  );
});

describe("a client", () => {
  onEveryStore("needs no runtime, and is found by a later one", async (start) => {
    const env = await start({ orchestrations: [waits] });
    await env.stop();
    const handle = await env.client.start(waits, { instanceId: "i" });
    expect(await handle.status()).toEqual({ status: "NotFound" });
    await env.start();
    await env.settle();
    await handle.raise("go", "yes");

    expect(await env.finish(handle)).toBe("yes");
  });

  onEveryStore("invents an id where it is given none", async (start) => {
    const env = await start({ orchestrations: [waits] });
    const [a, b] = [await env.client.start(waits), await env.client.start(waits)];

    expect(a.instanceId).not.toBe(b.instanceId);
    expect(a.instanceId).toMatch(/^[0-9a-f-]{36}$/);
  });

  onEveryStore("stores nothing of what it refuses", async (start) => {
    const { client } = await start({ orchestrations: [waits] });
    const handle = client.handle(waits, "i");
    const bad = { n: 1n };
    const refused: readonly (() => Promise<unknown>)[] = [
      () => client.start(waits, { instanceId: "" }),
      () => client.start(waits, { instanceId: "sub::1" }),
      () => client.start(waits, { instanceId: "x::sub::1", version: "1.0.0" }),
      () => client.start(waits, { instanceId: "x".repeat(1_001) }),
      () => client.start(""),
      () => client.start(waits, { version: "newest" }),
      () => client.start("anything", { input: bad }),
      () => handle.raise("event", bad),
      () => handle.raise(event("event"), bad),
      () => handle.enqueue("queue", bad),
    ];
    for (const call of refused) await expect(call()).rejects.toBeInstanceOf(InvalidInputError);

    expect(await client.admin.queueDepths()).toMatchObject({ orchestratorQueue: 0 });
  });

  onEveryStore("lists, inspects, prunes and deletes instances", async (start) => {
    const moves = orchestration(
      "moves",
      async (ctx, n: number): Promise<unknown> => (n < 3 ? ctx.continueAsNew("moves", n + 1) : "end"),
    );
    const env = await start({ orchestrations: [waits, moves] });
    for (const instanceId of ["a", "b", "c"]) await env.client.start(waits, { instanceId });
    await env.run(moves, { instanceId: "m", input: 0 });
    const { admin } = env.client;
    const list = async (options: Parameters<typeof admin.instances>[0]) => {
      const ids: string[] = [];
      for await (const id of admin.instances(options)) ids.push(id);
      return ids.toSorted();
    };

    expect(await list({ pageSize: 2 })).toEqual(["a", "b", "c", "m"]);
    expect(await list({ status: "Running" })).toEqual(["a", "b", "c"]);
    expect(await list({ status: "Completed", pageSize: 1 })).toEqual(["m"]);
    expect(await admin.info("m")).toMatchObject({ currentExecutionId: 4, status: "Completed" });
    expect(await admin.executions("m")).toEqual([1, 2, 3, 4]);
    await admin.prune("m", { keepLast: 2 });
    expect(await admin.executions("m")).toEqual([3, 4]);
    await expect(admin.delete("a")).rejects.toMatchObject({ code: "instance-still-running" });
    await admin.delete("a", { force: true });
    await admin.delete("m");
    expect(await list({})).toEqual(["b", "c"]);
  });

  onEveryStore("reads the size of an instance, and nothing of an unknown one", async (start) => {
    const fills = orchestration("fills", async (ctx) => ctx.kv.set("k", "value"));
    const { env, handle } = await started(start, fills);
    await env.finish(handle);

    expect(await handle.stats()).toMatchObject({
      historyEventCount: 3,
      kvUserKeyCount: 1,
      queuePendingCount: 0,
    });
    expect(await env.client.handle(fills, "nobody").stats()).toBeUndefined();
  });
});
