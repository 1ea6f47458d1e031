/** A support agent: a conversation as one instance, from its first question to a week without one. */

import { type AgentPart, BudgetError, durableCalls, durableTools, stepOf } from "@duroxide-ts/ai";
import { event, type OrchestrationContext, orchestration, queue, stream } from "@duroxide-ts/core";
import { generateText, isStepCount, type ModelMessage, type ToolSet, tool, wrapLanguageModel } from "ai";
import { z } from "zod";
import { model } from "./model.ts";
import { shop } from "./shop.ts";

/** Shows the page the questions of the customer, and what the agent does. */
export const updates = stream<AgentPart | { readonly type: "question"; readonly text: string }>("updates");
export const questions = queue<{ readonly text: string }>("questions");
/** Further tokens, which a person grants when the budget is used up. */
export const moreTokens = event<number>("more tokens", { keep: true });

interface Conversation {
  readonly messages: readonly ModelMessage[];
}

/** After so many answers the next execution begins with the conversation as its input. */
const ANSWERS_IN_EXECUTION = 20;

export const support = orchestration(
  "support",
  async (ctx, before: Conversation | null): Promise<readonly unknown[]> => {
    const messages = [...(before?.messages ?? [])];
    for (let answers = 0; answers < ANSWERS_IN_EXECUTION; answers++) {
      const next = await ctx.race([ctx.dequeue(questions), ctx.scheduleTimer({ days: 7 })]);
      if (next.index === 1 || next.value.text === "bye") return messages;
      ctx.stream(updates).write({ type: "question", text: next.value.text });
      messages.push({ role: "user", content: next.value.text });
      messages.push(...(await answer(ctx, messages)));
    }
    return ctx.continueAsNew("support", { messages });
  },
);

async function answer(ctx: OrchestrationContext, messages: ModelMessage[]): Promise<ModelMessage[]> {
  const budget = { tokens: 100_000, more: () => grantedTokens(ctx) };
  const calls = durableCalls(ctx, { stream: updates, budget });
  try {
    const { responseMessages } = await ctx.deterministic(() =>
      generateText({
        model: wrapLanguageModel({ model, middleware: calls }),
        tools: toolsOf(ctx),
        stopWhen: isStepCount(10),
        instructions: "You are the support of a shop. Look before you refund.",
        messages,
      }),
    );
    return responseMessages;
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    return [{ role: "assistant", content: "I have reached my limit. A colleague goes on from here." }];
  }
}

function toolsOf(ctx: OrchestrationContext): ToolSet {
  const order = z.object({ order: z.string() });
  const findOrder = tool({
    description: "What was ordered, and its state",
    inputSchema: order,
    execute: (input, options) => shop.find(input.order, stepOf(options).callKey),
  });
  const trackParcel = tool({
    description: "Where the parcel of an order is",
    inputSchema: order,
    execute: (input, options) => shop.track(input.order, stepOf(options).callKey),
  });
  const refund = tool({
    description: "Pays the price of an order back",
    inputSchema: order,
    execute: (input, options) => shop.refund(input.order, stepOf(options).callKey),
  });
  const retry = { maxAttempts: 3 };
  return {
    ...durableTools(ctx, { findOrder, trackParcel }, { stream: updates, retry }),
    ...durableTools(ctx, { refund }, { stream: updates, retry, approval: { within: { hours: 8 } } }),
  };
}

/** Tokens that a person grants within a day. */
async function grantedTokens(ctx: OrchestrationContext): Promise<{ tokens: number } | undefined> {
  const first = await ctx.race([ctx.waitForEvent(moreTokens), ctx.scheduleTimer({ days: 1 })]);
  return first.index === 0 ? { tokens: first.value } : undefined;
}
