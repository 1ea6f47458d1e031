/** A model of the AI SDK's own mock provider that follows a script: one answer for each call that it completes. */
import type { LanguageModelMiddleware } from "ai";
import { MockLanguageModelV4 } from "ai/test";

type Call = Parameters<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>[0]["params"];
type Part =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

export interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly input: object }[];
  readonly tokens?: number;
}

/** Answers by the number of answers in the prompt, so that a repeated call gets the same one. */
export type Script = (turn: number, call: Call) => Answer | Promise<Answer>;

const usage = (tokens: number) => ({
  inputTokens: { total: tokens, noCache: tokens, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
});

function finish({ calls = [], tokens = 1 }: Answer) {
  const unified = calls.length > 0 ? ("tool-calls" as const) : ("stop" as const);
  return { usage: usage(tokens), finishReason: { unified, raw: undefined } };
}

const toolCalls = ({ calls = [] }: Answer) =>
  calls.map(({ id, tool, input }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: tool,
    input: JSON.stringify(input),
  }));

const words = ({ text = "" }: Answer): string[] => text.match(/\S+\s*/g) ?? [];

export function partsOf(answer: Answer): Part[] {
  return [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", id: "r", modelId: "fake" },
    { type: "text-start", id: "t" },
    ...words(answer).map((delta): Part => ({ type: "text-delta", id: "t", delta })),
    { type: "text-end", id: "t" },
    ...toolCalls(answer),
    { type: "finish", ...finish(answer) },
  ];
}

/** `before` of a stream is called before each part. */
export function fakeModel(script: Script, before: (part: Part) => void | Promise<void> = () => {}) {
  const turnOf = ({ prompt }: Call): number => prompt.filter(({ role }) => role === "assistant").length;
  const model = new MockLanguageModelV4({
    modelId: "fake",
    doGenerate: async (call) => {
      const answer = await script(turnOf(call), call);
      const { text } = answer;
      return {
        content: [...(text === undefined ? [] : [{ type: "text" as const, text }]), ...toolCalls(answer)],
        ...finish(answer),
        warnings: [],
        request: { body: call.prompt },
        response: { id: "r", modelId: "fake", headers: { "x-id": "1" }, body: call.prompt },
      };
    },
    doStream: async (call) => {
      const parts = partsOf(await script(turnOf(call), call));
      return {
        stream: new ReadableStream<Part>({
          async pull(controller) {
            const part = parts.shift();
            if (part === undefined) return controller.close();
            await before(part);
            controller.enqueue(part);
          },
        }),
      };
    },
  });
  const calls = (): number => model.doGenerateCalls.length + model.doStreamCalls.length;
  return { model, calls };
}
