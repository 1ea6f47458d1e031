/** Budgets of agents: of tokens, money and model calls, over crashes, replays and continue-as-new. */
import { event, type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { generateText, isStepCount, tool, wrapLanguageModel } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startEnvironment } from "../../../test/support/environment.ts";
import { engineScenario } from "../../../test/support/scenario.ts";
import { type Budget, BudgetError, durableCalls, durableTools, spent } from "../src/index.ts";
import { fakeModel } from "./support/fake-model.ts";

const again = tool({ inputSchema: z.object({}), execute: () => "again" });

/** Ten tokens a call, and never an end. */
const endless = () =>
  fakeModel((turn) => ({ calls: [{ id: `c${turn}`, tool: "again", input: {} }], tokens: 10 }));

async function loop(
  ctx: OrchestrationContext,
  fake: ReturnType<typeof fakeModel>,
  budget: Budget,
): Promise<string> {
  const model = wrapLanguageModel({ model: fake.model, middleware: durableCalls(ctx, { budget }) });
  const tools = durableTools(ctx, { again });
  return await ctx.deterministic(() =>
    generateText({ model, tools, prompt: "?", stopWhen: isStepCount(20) }).then(
      ({ text }) => text,
      (error: unknown) => {
        if (error instanceof BudgetError) return error.kind;
        throw error;
      },
    ),
  );
}

describe("a budget", () => {
  it("of money needs a price: without one it would limit nothing", async () => {
    const fake = endless();
    const agent = orchestration("agent", (ctx) => loop(ctx, fake, { money: 1 }));
    await using env = await startEnvironment({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await expect(env.finish(handle)).rejects.toThrow("budget.price");
    expect(fake.calls()).toBe(0);
  });

  // budget.B3
  it.each<[string, object]>([
    ["budget.tokens must be a number", { tokens: Number.NaN }],
    ["budget.tokens must be a number", { tokens: "15" }],
    ["budget.steps must be a number", { steps: -1 }],
    ['no option "maxTokens"', { maxTokens: 15 }],
    ["more returns.tokens must be a number", { tokens: 15, more: async () => ({ tokens: "100" }) }],
    ["the options must be an object", { tokens: 15, more: async () => 100 }],
  ])("that would limit nothing, or something else, is refused: %s", async (message, budget) => {
    const fake = endless();
    const agent = orchestration("agent", (ctx) => loop(ctx, fake, budget));
    await using env = await startEnvironment({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await expect(env.finish(handle)).rejects.toThrow(message);
    expect(fake.calls()).toBeLessThanOrEqual(2);
  });

  engineScenario("ends the calls when it is used up, and clients read what is spent", async (start) => {
    const fake = endless();
    const agent = orchestration("agent", (ctx) => loop(ctx, fake, { tokens: 25 }));
    const env = await start({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });

    expect(await env.finish(handle)).toBe("tokens");
    expect(fake.calls()).toBe(3);
    expect(await handle.get(spent)).toEqual({ tokens: 30, money: 0, steps: 3, added: {} });
  });

  engineScenario("may be money, or a number of model calls", async (start) => {
    const price = ({ inputTokens }: { inputTokens: { total: number | undefined } }) =>
      (inputTokens.total ?? 0) / 10;
    const rich = orchestration("rich", (ctx) => loop(ctx, endless(), { money: 4, price }));
    const brief = orchestration("brief", (ctx) => loop(ctx, endless(), { steps: 2 }));
    const env = await start({ orchestrations: [rich, brief] });

    expect(await env.run(rich, { instanceId: "r" })).toBe("money");
    expect(await env.client.handle(rich, "r").get(spent)).toMatchObject({ money: 4, steps: 4 });
    expect(await env.run(brief, { instanceId: "b" })).toBe("steps");
    expect(await env.client.handle(brief, "b").get(spent)).toMatchObject({ steps: 2 });
  });

  // budget.B1
  engineScenario("goes on over continue-as-new", async (start) => {
    const fake = endless();
    const agent = orchestration("agent", async (ctx, round: number): Promise<string> => {
      const end = await loop(ctx, fake, { tokens: 50, steps: 2 + round * 2 });
      return end === "tokens" ? `${end} in round ${round}` : ctx.continueAsNew("agent", round + 1);
    });
    const env = await start({ orchestrations: [agent] });

    expect(await env.run(agent, { instanceId: "i", input: 0 })).toBe("tokens in round 2");
    expect(fake.calls()).toBe(5);
  });

  // budget.B1
  it("is not spent again by a replay after a crash", async () => {
    const fake = endless();
    const pause = event("go on");
    const agent = orchestration("agent", async (ctx) => {
      const first = await loop(ctx, fake, { steps: 3 });
      await ctx.waitForEvent(pause);
      return [first, await loop(ctx, fake, { steps: 5 })];
    });
    await using env = await startEnvironment({ orchestrations: [agent], file: true });
    await env.client.start(agent, { instanceId: "i" });
    await env.advance(1_000);
    await env.kill();
    await env.start();
    const handle = env.client.handle(agent, "i");
    await handle.raise(pause);

    expect(await env.finish(handle)).toEqual(["steps", "steps"]);
    expect(fake.calls()).toBe(5);
    expect(await handle.get(spent)).toMatchObject({ steps: 5, tokens: 50 });
  });

  engineScenario("is added to by people, while the agent waits in the middle of its work", async (start) => {
    const fake = endless();
    const granted = event<number>("granted", { keep: true });
    const agent = orchestration("agent", (ctx) =>
      loop(ctx, fake, {
        tokens: 20,
        more: async () => {
          const first = await ctx.race([ctx.waitForEvent(granted), ctx.scheduleTimer({ days: 1 })]);
          return first.index === 0 ? { tokens: first.value } : undefined;
        },
      }),
    );
    const env = await start({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await env.advance(1_000);
    expect(fake.calls()).toBe(2);
    await handle.raise(granted, 15);

    expect(await env.finish(handle)).toBe("tokens");
    expect(await handle.get(spent)).toEqual({
      tokens: 40,
      money: 0,
      steps: 4,
      added: { tokens: 15, money: 0, steps: 0 },
    });
  });
});
