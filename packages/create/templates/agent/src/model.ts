/**
 * The model. `AI_MODEL=openai/gpt-5` takes a real one through the gateway of the AI SDK; by default a fake one answers,
 * without a network and as slowly as a model does.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { gateway } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const { AI_MODEL, TOKEN_MS = "60" } = process.env;

type Call = Parameters<MockLanguageModelV4["doStream"]>[0];
type Streamed = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"];
type Part = Streamed extends ReadableStream<infer T> ? T : never;

const fake = new MockLanguageModelV4({
  modelId: "fake",
  doStream: async ({ prompt }) => {
    const parts = answerTo(prompt);
    const stream = new ReadableStream<Part>({
      async pull(controller) {
        await sleep(Number(TOKEN_MS));
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    });
    return { stream };
  },
});

export const model = AI_MODEL === undefined ? fake : gateway(AI_MODEL);

/** Looks an order up, refunds it if the question says so, and tells what it found. */
function answerTo(prompt: Call["prompt"]): Part[] {
  const question = JSON.stringify(prompt.find(({ role }) => role === "user")?.content);
  const results = prompt.filter(({ role }) => role === "tool").length;
  const order = /\d+/.exec(question)?.[0];
  if (order === undefined) return says("Please tell me the number of your order.");
  if (results === 0) return calls("Let me look at your order. ", "findOrder", order);
  if (results === 1 && /refund|broke/i.test(question)) return calls("I am sorry. ", "refund", order);
  return says("I have found your coffee grinder, and everything that you asked for is done. Anything else?");
}

function says(text: string): Part[] {
  return [...words(text), finish("stop")];
}

function calls(text: string, toolName: string, order: string): Part[] {
  const input = JSON.stringify({ order });
  return [
    ...words(text),
    { type: "tool-call", toolCallId: `${toolName}-${order}`, toolName, input },
    finish("tool-calls"),
  ];
}

function words(text: string): Part[] {
  const deltas = text.match(/\S+\s*/g) ?? [];
  return [
    { type: "text-start", id: "1" },
    ...deltas.map((delta): Part => ({ type: "text-delta", id: "1", delta })),
    { type: "text-end", id: "1" },
  ];
}

function finish(unified: "stop" | "tool-calls"): Part {
  return {
    type: "finish",
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 10, text: 10, reasoning: 0 },
    },
    finishReason: { unified, raw: undefined },
  };
}
