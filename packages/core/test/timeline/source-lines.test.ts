/** Events name the line of code that made a call, if the runtime is asked to. */
import { expect, test } from "vitest";
import { activity, orchestration } from "../../src/index.ts";
import { TestEnvironment } from "../../src/testing/index.ts";

const CALLS_BEYOND_THOSE_NOTED_FOR_WARNINGS = 210;

const step = activity("step", async (_ctx, n: number) => n);
const child = orchestration("child", async () => undefined);

const job = orchestration("job", async (ctx) => {
  for (let n = 0; n < CALLS_BEYOND_THOSE_NOTED_FOR_WARNINGS; n++) await ctx.scheduleActivity(step, n);
  await ctx.scheduleTimer({ ms: 1 });
  await ctx.scheduleSubOrchestration(child);
  await ctx.dequeue("orders");
  await ctx.waitForEvent("approved");
});

async function started(options: { readonly sourceLines?: boolean }) {
  const env = await TestEnvironment.create({ orchestrations: [job, child], activities: [step], ...options });
  const handle = await env.start(job, { instanceId: "i" });
  await handle.enqueue("orders", 1);
  await env.advance({ seconds: 1 });
  return env;
}

test("each kind of call names its line, in every step and in what the instance waits for", async () => {
  await using env = await started({ sourceLines: true });
  const { steps, waits } = await env.client.admin.timeline("i");
  const lines = steps.map(({ kind, source }) => [kind, source?.replace(/:\d+$/, "")]);
  const line = (kind: string): unknown => lines.find(([of]) => of === kind)?.[1];
  expect(lines).toHaveLength(CALLS_BEYOND_THOSE_NOTED_FOR_WARNINGS + 4);
  for (const [, source] of lines) expect(source).toMatch(/source-lines\.test\.ts:\d+$/);
  expect(new Set(["activity", "timer", "child", "queue", "event"].map(line)).size).toBe(5);
  expect(lines.filter(([kind, source]) => kind === "activity" && source !== line("activity"))).toEqual([]);
  expect(waits.map(({ kind, source }) => [kind, source?.replace(/:\d+$/, "")])).toEqual([
    ["event", line("event")],
  ]);
});

test("a retry is a part of its call, at the same line", async () => {
  let runs = 0;
  const flaky = activity("flaky", async () => {
    if (++runs < 3) throw new Error("not yet");
  });
  const retrying = orchestration("retrying", async (ctx) => {
    await ctx.scheduleActivity(flaky, undefined, { retry: { maxAttempts: 3 } });
  });
  await using env = await TestEnvironment.create({
    orchestrations: [retrying],
    activities: [flaky],
    sourceLines: true,
  });
  await env.start(retrying, { instanceId: "i" });
  await env.advance({ seconds: 5 });
  const { steps } = await env.client.admin.timeline("i");
  expect(steps).toHaveLength(1);
  expect(steps[0]?.source).toMatch(/source-lines\.test\.ts:\d+:\d+$/);
});

test("no event names a line by default", async () => {
  await using env = await started({});
  expect(JSON.stringify(await env.client.admin.history("i"))).not.toContain("source-lines");
});
