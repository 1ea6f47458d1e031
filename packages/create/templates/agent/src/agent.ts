/** The agent: the loop of the AI SDK in an orchestration. Each call of the model and each tool is a step. */
import { type AgentPart, durableCalls, durableTools, stepOf } from "@duroxide-ts/ai";
import { orchestration, stream } from "@duroxide-ts/core";
import { generateText, isStepCount, type LanguageModel, tool, wrapLanguageModel } from "ai";
import { z } from "zod";
import { shop } from "./shop.ts";

type WrappedModel = Parameters<typeof wrapLanguageModel>[0]["model"] & LanguageModel;

/** Shows readers what the agent does, while it does it. */
export const updates = stream<AgentPart>("updates");

const inputSchema = z.object({ order: z.string() });
const findOrder = tool({
  description: "What was ordered, and its state",
  inputSchema,
  execute: ({ order }) => shop.find(order),
});
const refund = tool({
  description: "Pays the price of an order back",
  inputSchema,
  // The key is the same each time this call runs, so a crash refunds nobody twice.
  execute: ({ order }, options) => shop.refund(order, stepOf(options).callKey),
});

export function createAgent(model: WrappedModel) {
  return orchestration("support", async (ctx, question: string) => {
    const middleware = durableCalls(ctx, { stream: updates, budget: { tokens: 100_000 } });
    const tools = {
      ...durableTools(ctx, { findOrder }, { stream: updates, retry: { maxAttempts: 3 } }),
      ...durableTools(ctx, { refund }, { stream: updates, approval: { within: { hours: 8 } } }),
    };
    const { text } = await ctx.deterministic(() =>
      generateText({
        model: wrapLanguageModel({ model, middleware }),
        tools,
        stopWhen: isStepCount(10),
        instructions: "You are the support of a shop. Look before you refund.",
        prompt: question,
      }),
    );
    return text;
  });
}
