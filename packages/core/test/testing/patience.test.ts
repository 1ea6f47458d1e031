/** The environment waits for handlers with real work for as long as that takes, and not for those that wait for the test. */
import { execFile } from "node:child_process";
import { pbkdf2, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { gzip } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { activity, orchestration } from "../../src/define/definitions.ts";
import { StalledError, TestEnvironment } from "../../src/testing/index.ts";

const server = createServer((_request, response) => setTimeout(() => response.end("served"), 300));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, resolve)));
afterAll(() => server.close());

/** Each takes longer than a handler is given that waits for nothing. */
const WORK: Readonly<Record<string, () => Promise<unknown>>> = {
  "a timer": () => sleep(300),
  "a timer that keeps no process alive": () => sleep(300, undefined, { ref: false }),
  "a signal with a time limit": () =>
    new Promise((resolve) => AbortSignal.timeout(300).addEventListener("abort", resolve)),
  "two requests over one connection": async () => {
    const { port } = server.address() as AddressInfo;
    for (const _ of [1, 2]) await (await fetch(`http://127.0.0.1:${port}/`)).text();
  },
  "a child process": () => promisify(execFile)(process.execPath, ["-e", "setTimeout(() => {}, 200)"]),
  "a thread": () =>
    new Promise((resolve) => new Worker("setTimeout(() => {}, 300)", { eval: true }).on("exit", resolve)),
  "jobs of the thread pool": async () => {
    await promisify(pbkdf2)("password", "salt", 600_000, 32, "sha256");
    await promisify(gzip)(randomBytes(20_000_000));
  },
};

async function environmentOf(work: () => unknown): Promise<TestEnvironment> {
  const works = activity("works", async () => {
    await work();
    return "done";
  });
  const job = orchestration("job", async (ctx) => ctx.scheduleActivity(works));
  return TestEnvironment.create({ orchestrations: [job], activities: [works] });
}

it.each(Object.keys(WORK))("a handler that waits for %s is waited for", async (what) => {
  await using env = await environmentOf(() => WORK[what]?.());
  expect(await (await env.start("job")).result()).toBe("done");
});

it("a handler that waits for the test is not waited for, also beside a timer that is far away", async () => {
  const gate = Promise.withResolvers<void>();
  await using env = await environmentOf(() => {
    const limit = setTimeout(() => {}, 600_000);
    return gate.promise.finally(() => clearTimeout(limit));
  });
  const run = await env.start("job");
  const stalled = await run.result().catch((error: unknown) => error);
  gate.resolve();

  expect(stalled).toBeInstanceOf(StalledError);
  expect(await run.result()).toBe("done");
});

it("what a handler does after it has waited for the test is waited for", async () => {
  const gate = Promise.withResolvers<void>();
  await using env = await environmentOf(async () => {
    await gate.promise;
    await sleep(300);
  });
  const run = await env.start("job");
  gate.resolve();

  expect(await run.result()).toBe("done");
});
