/** History has what is new in the input of an activity (docs/decisions/payloads.md). */
import { activity, orchestration, rustTypedCodec } from "@duroxide-ts/core";
import { replay } from "@duroxide-ts/core/testing";
import { describe, expect } from "vitest";
import { started } from "../support/one-program.ts";
import { engineScenario, type Start, scenario } from "../support/scenario.ts";

const TURNS = 30;
const answer = activity(
  "answer",
  async (_ctx, messages: string[]) => `${messages.length} ${"x".repeat(4_000)}`,
);
const agent = orchestration("agent", async (ctx, turns: number) => {
  const messages = ["hello"];
  for (let turn = 0; turn < turns; turn++) messages.push(await ctx.scheduleActivity(answer, messages));
  return messages.length;
});

async function sizeOf(start: Start, codec?: typeof rustTypedCodec) {
  const env = await start({
    orchestrations: [agent],
    activities: [answer],
    ...(codec && { options: { codec } }),
  });
  await env.client.start(agent, { instanceId: "i", input: TURNS });
  await env.advance(1);
  const events = await env.events("i");
  expect(events.at(-1)?.type).toBe("OrchestrationCompleted");
  return events.reduce((sum, event) => sum + ("input" in event ? event.input.length : 0), 0);
}

describe("the inputs of a conversation", () => {
  scenario("grow with it, and not with its square", async (start) => {
    expect(await sizeOf(start)).toBeLessThan(TURNS * 4_100);
  });

  engineScenario("are whole in the texts that Rust compares", async (start) => {
    expect(await sizeOf(start, rustTypedCodec)).toBeGreaterThan((TURNS * TURNS * 4_000) / 3);
  });

  scenario("reach the activity, tools and a replay whole", async (start) => {
    const { env, handle } = await started(start, agent, { activities: [answer], file: true, input: 5 });
    expect(await env.finish(handle)).toBe(6);

    const events = await env.client.admin.history("i");
    const inputs = events.flatMap((event) => (event.type === "ActivityScheduled" ? [event.input] : []));
    expect(inputs.map((input) => (JSON.parse(input) as string[]).length)).toEqual([1, 2, 3, 4, 5]);
    expect(await handle.history()).toEqual(events);
    expect(await handle.history(1)).toEqual(events);
    expect(await env.client.handle(agent, "unknown").history()).toEqual([]);
    const { steps } = await env.client.admin.timeline("i");
    expect(steps.map((step) => ("input" in step ? step.input : ""))).toEqual(inputs);
    await replay(events, { orchestrations: [agent] });
    await replay(await env.events("i"), { orchestrations: [agent] });
  });

  scenario("are whole for an activity that is open when the execution is retried", async (start) => {
    let down = true;
    const lengths: number[] = [];
    const flaky = activity("answer", async (_ctx, messages: string[]) => {
      lengths.push(messages.length);
      if (down && messages.length === 3) throw new Error("down");
      return "y".repeat(1_000);
    });
    const { env, handle } = await started(start, agent, { activities: [flaky], input: 4 });
    await env.failure(handle);
    down = false;
    await env.client.admin.retry("i");

    expect(await env.finish(handle)).toBe(5);
    expect(lengths).toEqual([1, 2, 3, 3, 4]);
  });
});

describe("a call that is retried for a day", () => {
  engineScenario("has its input once", async (start) => {
    let nowMs = 0;
    const charge = activity("charge", async (_ctx, order: { note: string }) => {
      if (nowMs < 24 * 3_600_000) throw new Error("the bank is down");
      return order.note.length;
    });
    const pays = orchestration("pays", async (ctx) =>
      ctx.scheduleActivity(
        charge,
        { note: "n".repeat(1_000) },
        { retry: { maxAttempts: Number.POSITIVE_INFINITY } },
      ),
    );
    const { env } = await started(start, pays, { activities: [charge] });
    for (; nowMs <= 24 * 3_600_000; nowMs += 600_000) await env.advance(600_000);
    await env.advance(1_200_000);

    const handle = env.client.handle(pays, "i");
    expect(await handle.status()).toMatchObject({ status: "Completed", output: 1_000 });
    const stats = await handle.stats();
    expect(stats?.historySizeBytes).toBeLessThan(300_000);
  });
});
