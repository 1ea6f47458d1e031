/** docs/guide/26-agents.md */
import { deepEqual, equal, match } from "node:assert/strict";
import {
  type AgentPart,
  approval,
  BudgetError,
  durableCalls,
  durableTools,
  mcpServer,
  spent,
  stepOf,
} from "@duroxide-ts/ai";
import { event, type OrchestrationContext, orchestration, queue, stream } from "@duroxide-ts/core";
import { generateText, isStepCount, type ModelMessage, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";
import { onStage } from "./stage.ts";

type Part =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer T> ? T : never;

const inputTokens = { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 };
const usage = { inputTokens, outputTokens: { total: 0, text: 0, reasoning: 0 } };

/** Stands for a model: it looks up the order, refunds it, and answers. */
function answerTo(prompt: readonly { readonly role: string }[]): Part[] {
  const results = prompt.filter(({ role }) => role === "tool").length;
  const toolName = ["findOrder", "refund"][results];
  const input = '{"order":"7"}';
  if (toolName !== undefined) {
    const finishReason = { unified: "tool-calls" as const, raw: undefined };
    return [
      { type: "tool-call", toolCallId: `c${results}`, toolName, input },
      { type: "finish", usage, finishReason },
    ];
  }
  return [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "All " },
    { type: "text-delta", id: "t", delta: "settled." },
    { type: "text-end", id: "t" },
    { type: "finish", usage, finishReason: { unified: "stop", raw: undefined } },
  ];
}

const gpt = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    const parts = answerTo(prompt);
    return { stream: ReadableStream.from(parts) as ReadableStream<Part> };
  },
});

const bank = {
  refunds: [] as string[],
  async refund(order: string, options: { readonly idempotencyKey: string }): Promise<string> {
    this.refunds.push(`${order} ${options.idempotencyKey.length > 0}`);
    return `order ${order} is refunded`;
  },
};

// #region tools
const inputSchema = z.object({ order: z.string() });

const findOrder = tool({ inputSchema, execute: async ({ order }) => ({ order, cents: 4_900 }) });

const refund = tool({
  inputSchema,
  execute: ({ order }, options) => bank.refund(order, { idempotencyKey: stepOf(options).callKey }),
});
// #endregion

// #region agent
const updates = stream<AgentPart>("updates");

const support = orchestration("support", async (ctx, question: string) => {
  const model = wrapLanguageModel({ model: gpt, middleware: durableCalls(ctx, { stream: updates }) });
  const tools = {
    ...durableTools(ctx, { findOrder }, { stream: updates, retry: { maxAttempts: 3 } }),
    ...durableTools(ctx, { refund }, { stream: updates, approval: { within: { hours: 8 } } }),
  };
  const { text } = await ctx.deterministic(() =>
    generateText({ model, tools, prompt: question, stopWhen: isStepCount(10) }),
  );
  return text;
});
// #endregion

await onStage({ orchestrations: [support] }, async (stage) => {
  const { client } = stage;
  const run = await client.start(support, { instanceId: "chat-7", input: "Order 7 broke." });
  await stage.settle();
  equal(bank.refunds.length, 0);
  // #region approve
  for await (const { value } of client.handle(support, "chat-7").stream(updates)) {
    if (value?.type !== "approval") continue;
    await run.enqueue(approval(value.id), { approved: true, by: "Grace" });
    break;
  }
  // #endregion
  equal(await stage.finish(run), "All settled.");
  deepEqual(bank.refunds, ["7 true"]);
  const shown: string[] = [];
  for await (const { value } of run.stream(updates)) if (value?.type === "text") shown.push(value.text);
  deepEqual(shown, ["All ", "settled."]);
});

// #region budget
const granted = event<number>("granted", { keep: true });

const frugal = orchestration("frugal", async (ctx, question: string) => {
  const budget = {
    tokens: 15,
    async more() {
      const first = await ctx.race([ctx.waitForEvent(granted), ctx.scheduleTimer({ days: 1 })]);
      return first.index === 0 ? { tokens: first.value } : undefined;
    },
  };
  const model = wrapLanguageModel({ model: gpt, middleware: durableCalls(ctx, { stream: updates, budget }) });
  const tools = durableTools(ctx, { findOrder, refund });
  try {
    const { text } = await ctx.deterministic(() =>
      generateText({ model, tools, prompt: question, stopWhen: isStepCount(10) }),
    );
    return text;
  } catch (error) {
    if (error instanceof BudgetError) return "a colleague goes on";
    throw error;
  }
});
// #endregion

await onStage({ orchestrations: [frugal] }, async (stage) => {
  const run = await stage.client.start(frugal, { instanceId: "f", input: "Order 7 broke." });
  await stage.settle();
  // #region spent
  const { tokens = 0 } = (await run.get(spent)) ?? {};
  if (tokens > 0) await run.raise(granted, 100);
  // #endregion
  equal(tokens, 20);
  equal(await stage.finish(run), "All settled.");
  const alone = await stage.client.start(frugal, { instanceId: "g", input: "Order 8 broke." });
  equal(await stage.finish(alone), "a colleague goes on");
});

// #region conversation
const questions = queue<string>("questions");

interface Conversation {
  readonly messages: readonly ModelMessage[];
}

const chat = orchestration("chat", async (ctx, before: Conversation): Promise<number> => {
  const messages = [...before.messages];
  for (let answers = 0; answers < 20; answers++) {
    const next = await ctx.race([ctx.dequeue(questions), ctx.scheduleTimer({ days: 7 })]);
    if (next.index === 1) return messages.length;
    messages.push({ role: "user", content: next.value });
    messages.push(...(await answer(ctx, messages)));
  }
  return ctx.continueAsNew("chat", { messages });
});
// #endregion

async function answer(ctx: OrchestrationContext, messages: ModelMessage[]): Promise<ModelMessage[]> {
  const model = wrapLanguageModel({ model: gpt, middleware: durableCalls(ctx, { stream: updates }) });
  const tools = durableTools(ctx, { findOrder, refund });
  const ask = () => generateText({ model, tools, messages, stopWhen: isStepCount(10) });
  return (await ctx.deterministic(ask)).responseMessages;
}

await onStage({ orchestrations: [chat] }, async (stage) => {
  const run = await stage.client.start(chat, { instanceId: "c", input: { messages: [] } });
  await run.enqueue(questions, "Order 7 broke.");
  equal(await stage.finish(run), 6);
});

const connect = async () => ({
  listTools: async () => ({ tools: [{ name: "findOrder", inputSchema: { type: "object" } }] }),
  callTool: async () => ({ content: [{ type: "text", text: "order 7: shipped" }] }),
  close: async () => {},
});

// #region mcp
const tickets = mcpServer("tickets", connect); // such as () => createMCPClient({ transport: … })

const helper = orchestration("helper", async (ctx, question: string) => {
  const model = wrapLanguageModel({ model: gpt, middleware: durableCalls(ctx, { stream: updates }) });
  return await ctx.deterministic(async () => {
    const tools = { ...(await tickets.tools(ctx)), ...durableTools(ctx, { refund }) };
    const { steps } = await generateText({ model, tools, prompt: question, stopWhen: isStepCount(10) });
    return steps.length;
  });
});
// #endregion

await onStage({ orchestrations: [helper] }, async (stage) => {
  equal(await stage.finish(await stage.client.start(helper, { instanceId: "h", input: "Order 7?" })), 3);
  match(bank.refunds.join(), /7 true/);
});
await tickets.close();
