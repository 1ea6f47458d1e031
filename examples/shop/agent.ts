/** An agent: a model that uses tools, within a budget of tokens. A person approves what costs money. */
import { event, isCallFailure, type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { type Message, model, type ToolCall } from "./model.ts";
import { services } from "./services.ts";

export interface Task {
  readonly prompt: string;
  /** Number of tokens. */
  readonly budget: number;
}

const MOST_TURNS = 100;

export const moreBudget = event<number>("more budget", { keep: true });
/** The decision about one call of a tool. */
export const decided = (callId: string) =>
  event<{ readonly by: string; readonly ok: boolean }>(`decided ${callId}`, { keep: true });

export const agent = orchestration("agent", async (ctx, { prompt, budget }: Task) => {
  const messages: Message[] = [{ role: "user", text: prompt }];
  let left = budget;
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    ctx.setCustomStatus({ state: "thinking", left });
    // A step has no stored input, so history has each message once.
    const reply = await ctx.run("model", (step) => model.complete(messages, step.signal), {
      retry: { maxAttempts: 5 },
      timeout: { minutes: 2 },
    });
    messages.push({ role: "assistant", text: reply.text });
    if (reply.calls.length === 0) return reply.text;
    left -= reply.tokens;
    if (left <= 0) {
      ctx.setCustomStatus({ state: "out of budget" });
      const more = await ctx.race([ctx.waitForEvent(moreBudget), ctx.scheduleTimer({ days: 1 })]);
      if (more.index === 1) return "stopped: the budget is used up";
      left += more.value;
    }
    const costly = reply.calls.filter(isCostly);
    if (costly.length > 0) ctx.setCustomStatus({ state: "waits for a decision", calls: costly });
    messages.push(...(await ctx.map(reply.calls, useTool)));
  }
  return "stopped: too many turns";
});

async function useTool(ctx: OrchestrationContext, call: ToolCall): Promise<Message> {
  const refusal = isCostly(call) ? await refusalOf(ctx, call) : undefined;
  const text =
    refusal ??
    (await ctx.run(call.tool, (step) => run(call, step.callKey), toolOptions(call)).catch(explained));
  return { role: "tool", text };
}

const isCostly = ({ tool }: ToolCall): boolean => tool === "refund";

const toolOptions = ({ id }: ToolCall) => ({ label: id, retry: { maxAttempts: 3 } });

async function refusalOf(ctx: OrchestrationContext, { id }: ToolCall): Promise<string | undefined> {
  const decision = await ctx.race([ctx.waitForEvent(decided(id)), ctx.scheduleTimer({ hours: 8 })]);
  if (decision.index === 1) return "nobody approved this call";
  return decision.value.ok ? undefined : `refused by ${decision.value.by}`;
}

async function run({ tool, about }: ToolCall, _key: string): Promise<string> {
  if (tool === "refund") await services.refund(about);
  return `${tool} ${about}: done`;
}

/** The model reads what went wrong, and may do something else. */
function explained(error: unknown): string {
  if (!isCallFailure(error)) throw error;
  return `failed: ${error.message}`;
}
