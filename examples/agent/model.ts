/**
 * The model. `AI_MODEL=openai/gpt-5` takes a real one through the gateway of the AI SDK; by default a fake one answers, on
 * the SDK's mock provider and without a network, as slowly as a model does.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { gateway } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const { AI_MODEL, TOKEN_MS = "40" } = process.env;

type Call = Parameters<MockLanguageModelV4["doStream"]>[0];
type Part =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer T> ? T : never;

const fake = new MockLanguageModelV4({
  modelId: "fake",
  doStream: async ({ prompt, abortSignal }) => {
    const parts = answerTo(prompt);
    const stream = new ReadableStream<Part>({
      async pull(controller) {
        await sleep(Number(TOKEN_MS), undefined, { ...(abortSignal && { signal: abortSignal }) });
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    });
    return { stream };
  },
});

export const model = AI_MODEL === undefined ? fake : gateway(AI_MODEL);

/** Decides by the last question and the results that came after it. */
function answerTo(prompt: Call["prompt"]): Part[] {
  const asked = prompt.findLastIndex(({ role }) => role === "user");
  const question = textOf(prompt[asked]?.content);
  const results = prompt
    .slice(asked)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => textOf(content));
  const orders = question.match(/\d+/g) ?? [];
  if (orders.length === 0) return says(`You asked: ${question} Please tell me the number of your order.`);
  if (results.length === 0) return calls("Let me look at your order. ", `find-${asked}`, "findOrder", orders);
  if (/where/i.test(question) && results.length === 1)
    return calls("And the parcel. ", `track-${asked}`, "trackParcel", orders);
  if (/broke|refund/i.test(question) && results.length === 1)
    return calls("I am sorry about that. I ask for a refund. ", `refund-${asked}`, "refund", orders);
  return says(`Here is what I found. ${results.at(-1)} Is there anything else that I can do for you?`);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = (content ?? []) as {
    readonly text?: string;
    readonly output?: { readonly value: unknown };
  }[];
  return parts
    .map(({ text, output }) => text ?? output?.value ?? "")
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .join(" ");
}

function says(text: string): Part[] {
  return [...wordsOf(text), finish(text, "stop")];
}

/** One call for each order, all in one answer. */
function calls(text: string, id: string, toolName: string, orders: readonly string[]): Part[] {
  const made = orders.map((order): Part => {
    const input = JSON.stringify({ order });
    return { type: "tool-call", toolCallId: `${id}-${order}`, toolName, input };
  });
  return [...wordsOf(text), ...made, finish(text, "tool-calls")];
}

function wordsOf(text: string): Part[] {
  const words = text.match(/\S+\s*/g) ?? [];
  return [
    { type: "text-start", id: "1" },
    ...words.map((delta): Part => ({ type: "text-delta", id: "1", delta })),
    { type: "text-end", id: "1" },
  ];
}

function finish(text: string, unified: "stop" | "tool-calls"): Part {
  const total = wordsOf(text).length;
  const inputTokens = { total, noCache: total, cacheRead: 0, cacheWrite: 0 };
  return {
    type: "finish",
    usage: { inputTokens, outputTokens: { total, text: total, reasoning: 0 } },
    finishReason: { unified, raw: undefined },
  };
}
