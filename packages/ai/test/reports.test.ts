/**
 * Reports of users of other engines about their agents, tried here. Other files have further reports: retries that
 * multiply, streams that repeat (dbos-transact-py#770), parallel approvals (supabase#47008), budgets that begin again
 * (inspect_ai#4975), MCP clients that never come back (OpenHands#3928).
 */
import { type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import {
  APICallError,
  generateText,
  isStepCount,
  type ModelMessage,
  type ToolSet,
  tool,
  wrapLanguageModel,
} from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startEnvironment } from "../../../test/support/environment.ts";
import { type ApprovalPart, approval, durableCalls, durableTools } from "../src/index.ts";
import { fakeModel } from "./support/fake-model.ts";

type Fake = ReturnType<typeof fakeModel>;

const inputSchema = z.object({ n: z.number() });

function agentOf(fake: Fake, tools: (ctx: OrchestrationContext) => ToolSet, messages: ModelMessage[] = []) {
  return orchestration(
    "agent",
    async (ctx): Promise<string> =>
      ctx.deterministic(async () => {
        const model = wrapLanguageModel({ model: fake.model, middleware: durableCalls(ctx) });
        const asked: ModelMessage[] = [...messages, { role: "user", content: "?" }];
        return (await generateText({ model, tools: tools(ctx), messages: asked, stopWhen: isStepCount(200) }))
          .text;
      }),
  );
}

/** One call in each answer, with the same id each time, as some models give them. */
const calling = (times: number, id: (turn: number) => string = (turn) => `c${turn}`) =>
  fakeModel((turn) =>
    turn < times ? { calls: [{ id: id(turn), tool: "work", input: { n: turn } }] } : { text: "done" },
  );

describe("reports of agents on durable engines", () => {
  it("a hundred tool calls in a long conversation: history has each byte about once (temporalio/sdk-python#1890)", async () => {
    const fake = calling(100);
    const work = tool({ inputSchema, execute: ({ n }) => `${n} `.repeat(5_000 / `${n} `.length) });
    const before = "x".repeat(200_000);
    const agent = agentOf(fake, (ctx) => durableTools(ctx, { work }), [{ role: "user", content: before }]);
    await using env = await startEnvironment({ orchestrations: [agent] });
    expect(await env.run(agent)).toBe("done");

    const bytes = JSON.stringify(await env.events("i")).length;
    expect(bytes).toBeLessThan(100 * (5_000 + 3_000));
    expect(fake.calls()).toBe(101);
  });

  it("a process dies in the second tool of a turn: the first does not run again (vercel/workflow#2099)", async () => {
    const ran: number[] = [];
    let isAlive = true;
    const work = tool({
      inputSchema,
      async execute({ n }) {
        ran.push(n);
        if (n === 1 && isAlive) await new Promise(() => {});
        return n;
      },
    });
    const agent = agentOf(calling(2), (ctx) => durableTools(ctx, { work }));
    await using env = await startEnvironment({ orchestrations: [agent], file: true });
    await env.client.start(agent, { instanceId: "i" });
    await env.advance(1_000);
    expect(ran).toEqual([0, 1]);
    await env.kill();
    isAlive = false;
    await env.start();

    expect(await env.finish(env.client.handle(agent, "i"))).toBe("done");
    expect(ran).toEqual([0, 1, 1]);
  });

  it("a refused call is approved later: it does not run (mastra-ai/mastra#24796)", async () => {
    const ran: number[] = [];
    const asked: ApprovalPart[] = [];
    const work = tool({ inputSchema, execute: ({ n }) => ran.push(n) });
    const agent = agentOf(calling(1), (ctx) =>
      durableTools(ctx, { work }, { approval: { within: { hours: 1 }, asked: (one) => asked.push(one) } }),
    );
    await using env = await startEnvironment({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await env.advance(1_000);
    const decisions = approval(asked[0]?.id ?? "");
    await handle.enqueue(decisions, { approved: false });
    await handle.enqueue(decisions, { approved: true });
    expect(await env.finish(handle)).toBe("done");
    await handle.enqueue(decisions, { approved: true }).catch(() => undefined);
    await env.advance(10_000);

    expect(ran).toEqual([]);
  });

  // approval.A1
  it("a model gives each call the same id: a late decision approves no other call (OpenRouterTeam/ai-sdk-provider#160)", async () => {
    const ran: number[] = [];
    const asked: ApprovalPart[] = [];
    const work = tool({ inputSchema, execute: ({ n }) => ran.push(n) });
    const agent = agentOf(
      calling(2, () => "call_0"),
      (ctx) =>
        durableTools(ctx, { work }, { approval: { within: { hours: 1 }, asked: (one) => asked.push(one) } }),
    );
    await using env = await startEnvironment({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await env.advance(3_700_000);
    expect(asked.map(({ toolCallId, input }) => [toolCallId, input])).toEqual([
      ["call_0", { n: 0 }],
      ["call_0", { n: 1 }],
    ]);
    await handle.enqueue(approval(asked[0]?.id ?? ""), { approved: true });

    expect(await env.finish(handle)).toBe("done");
    expect(ran).toEqual([]);
  });

  it("a quota is used up for sixteen days: the agent says so now (earendil-works/pi#4991)", async () => {
    const fake = fakeModel(() => {
      throw new APICallError({
        message: "monthly limit reached",
        url: "http://model",
        requestBodyValues: {},
        statusCode: 429,
        isRetryable: true,
        responseHeaders: { "retry-after": String(16 * 86_400) },
      });
    });
    await using env = await startEnvironment({ orchestrations: [agentOf(fake, () => ({}))] });
    const error = await env.failure(await env.client.start("agent", { instanceId: "i" }));

    expect(error.message).toContain("monthly limit reached (429)");
    expect(fake.calls()).toBe(1);
  });

  it("a decision comes after hours and a deployment: the call runs (preloop/preloop#510)", async () => {
    const ran: number[] = [];
    const asked = new Map<string, ApprovalPart>();
    const work = tool({ inputSchema, execute: ({ n }) => ran.push(n) });
    const agent = agentOf(calling(1), (ctx) =>
      durableTools(
        ctx,
        { work },
        { approval: { within: { hours: 5 }, asked: (one) => asked.set(one.id, one) } },
      ),
    );
    await using env = await startEnvironment({ orchestrations: [agent], file: true });
    await env.client.start(agent, { instanceId: "i" });
    await env.advance(3 * 3_600_000);
    await env.restart();
    const handle = env.client.handle(agent, "i");
    await handle.enqueue(approval([...asked.keys()][0] ?? ""), { approved: true });

    expect(await env.finish(handle)).toBe("done");
    expect(ran).toEqual([0]);
    expect(asked.size).toBe(1);
  });

  it("a picture that the model does not load itself is loaded in a step (vercel/ai#12165)", async () => {
    let loads = 0;
    const fake = fakeModel((_turn, { prompt }) => ({
      text: /"0":1,"1":2,"2":3/.test(JSON.stringify(prompt)) ? "seen" : "blind",
    }));
    const agent = orchestration(
      "agent",
      async (ctx): Promise<string> =>
        ctx.deterministic(async () => {
          const model = wrapLanguageModel({ model: fake.model, middleware: durableCalls(ctx) });
          const picture = {
            type: "file" as const,
            mediaType: "image/png",
            data: new URL("https://example.com/a.png"),
          };
          const { text } = await generateText({
            model,
            messages: [{ role: "user", content: [picture] }],
            experimental_download: (files) =>
              Promise.all(
                files.map(async () => {
                  const base64 = await ctx.run("download", () => {
                    loads++;
                    return "AQID";
                  });
                  return { data: new Uint8Array(Buffer.from(base64, "base64")), mediaType: "image/png" };
                }),
              ),
          });
          return text;
        }),
    );
    await using env = await startEnvironment({ orchestrations: [agent], options: { liveExecutions: 0 } });

    expect(await env.run(agent)).toBe("seen");
    expect(loads).toBe(1);
  });
});
