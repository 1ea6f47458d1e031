/** Model calls as steps: `generateText`, `streamText` and agents of the AI SDK, unchanged, in orchestration code. */
import { type OrchestrationContext, orchestration, stream } from "@duroxide-ts/core";
import {
  APICallError,
  generateText,
  isStepCount,
  Output,
  streamText,
  ToolLoopAgent,
  tool,
  wrapLanguageModel,
} from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startEnvironment } from "../../../test/support/environment.ts";
import { engineScenario, scenario } from "../../../test/support/scenario.ts";
import { type AgentPart, type DurableCallsOptions, durableCalls, durableTools } from "../src/index.ts";
import { type Answer, fakeModel, type Script } from "./support/fake-model.ts";

const shown = stream<AgentPart>("shown");

const search = tool({
  inputSchema: z.object({ q: z.string() }),
  execute: async ({ q }) => `found ${q}`,
});

/** Two rounds of two searches, then an answer. */
const script: Script = (turn): Answer => {
  if (turn === 2) return { text: "All found. " };
  const call = (q: string) => ({ id: `${q}${turn}`, tool: "search", input: { q } });
  return { text: "Looking. ", calls: [call("a"), call("b")] };
};

function durable(
  ctx: OrchestrationContext,
  fake: ReturnType<typeof fakeModel>,
  options?: DurableCallsOptions,
) {
  return wrapLanguageModel({ model: fake.model, middleware: durableCalls(ctx, options) });
}

const stopWhen = isStepCount(10);

describe("generateText in orchestration code", () => {
  engineScenario(
    "calls the model and the tools once, and ends alike from memory and from history",
    async (start) => {
      const fake = fakeModel(script);
      const agent = orchestration("agent", async (ctx) =>
        ctx.deterministic(async () => {
          const tools = durableTools(ctx, { search });
          const { text, steps } = await generateText({
            model: durable(ctx, fake),
            tools,
            prompt: "?",
            stopWhen,
          });
          return [text, steps.length, steps[0]?.toolResults.map(({ output }) => output)];
        }),
      );
      const env = await start({ orchestrations: [agent] });

      const result = await env.run(agent);

      expect(result).toEqual(["All found. ", 3, ["found a", "found b"]]);
      expect(fake.calls()).toBe(3);
      expect(await env.history("i")).toHaveLength(1 + 2 * 7 + 1);
    },
  );

  engineScenario("is a ToolLoopAgent as well, with structured output", async (start) => {
    const fake = fakeModel((turn, call) => (turn < 2 ? script(turn, call) : { text: '{"n":7}' }));
    const agent = orchestration("agent", async (ctx) =>
      ctx.deterministic(async () => {
        const loop = new ToolLoopAgent({
          model: durable(ctx, fake),
          tools: durableTools(ctx, { search }),
          output: Output.object({ schema: z.object({ n: z.number() }) }),
        });
        return (await loop.generate({ prompt: "?" })).output.n;
      }),
    );
    const env = await start({ orchestrations: [agent] });

    expect(await env.run(agent)).toBe(7);
  });

  it("is not streamText, whose streams would be foreign waits", async () => {
    const errors: string[] = [];
    const agent = orchestration("agent", async (ctx) =>
      ctx.deterministic(async () => {
        const onError = ({ error }: { error: unknown }): void => void errors.push(String(error));
        return await streamText({ model: durable(ctx, fakeModel(script)), prompt: "?", onError }).text;
      }),
    );
    await using env = await startEnvironment({ orchestrations: [agent] });

    await env.failure(await env.client.start(agent, { instanceId: "i" }));
    expect(errors.join()).toContain("use generateText");
  });
});

describe("the stream of an agent", () => {
  scenario("shows deltas, calls and ends in the order of the program", async (start) => {
    const fake = fakeModel((turn) =>
      turn === 0
        ? { text: "One moment. ", calls: [{ id: "c", tool: "search", input: { q: "x" } }] }
        : { text: "It is x." },
    );
    const agent = orchestration("agent", async (ctx) =>
      ctx.deterministic(async () => {
        const tools = durableTools(ctx, { search }, { stream: shown });
        const model = durable(ctx, fake, { stream: shown });
        return (await generateText({ model, tools, prompt: "?", stopWhen })).text;
      }),
    );
    const env = await start({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    expect(await env.finish(handle)).toBe("It is x.");

    const values: unknown[] = [];
    for await (const { value } of handle.stream(shown)) values.push(value);
    expect(values).toEqual([
      { type: "text", text: "One " },
      { type: "text", text: "moment. " },
      { type: "tool-call", toolCallId: "c", tool: "search", input: '{"q":"x"}' },
      { type: "finish", reason: "tool-calls" },
      { type: "tool-end", toolCallId: "c", tool: "search" },
      { type: "text", text: "It " },
      { type: "text", text: "is " },
      { type: "text", text: "x." },
      { type: "finish", reason: "stop" },
    ]);
  });

  it("has the tokens of the last attempt only, where a call has failed in the middle", async () => {
    let failures = 2;
    const fake = fakeModel(
      () => ({ text: "one two three" }),
      (part) => {
        if (part.type === "text-delta" && part.delta === "three" && failures-- > 0)
          throw new Error("reset by peer");
      },
    );
    const agent = orchestration("agent", async (ctx) =>
      ctx.deterministic(async () => {
        const model = durable(ctx, fake, { stream: shown });
        return (await generateText({ model, prompt: "?" })).text;
      }),
    );
    await using env = await startEnvironment({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });

    expect(await env.finish(handle)).toBe("one two three");
    const texts: string[] = [];
    for await (const { value } of handle.stream(shown)) if (value?.type === "text") texts.push(value.text);
    expect(texts).toEqual(["one ", "two ", "three"]);
    expect(fake.calls()).toBe(3);
  });
});

describe("an abort of generateText", () => {
  it("cancels the call of the model, and nothing of it is stored as an answer", async () => {
    const seen: boolean[] = [];
    const fake = fakeModel(
      () => ({ text: "one two" }),
      async (part) => {
        if (part.type !== "text-delta" || part.delta !== "two") return;
        const signal = fake.model.doStreamCalls[0]?.abortSignal;
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
        seen.push(signal?.aborted === true);
      },
    );
    const agent = orchestration("agent", async (ctx): Promise<string> => {
      const stop = new AbortController();
      const model = durable(ctx, fake, { stream: shown });
      const answer = ctx.deterministic(() => generateText({ model, prompt: "?", abortSignal: stop.signal }));
      await ctx.scheduleTimer({ seconds: 5 });
      stop.abort();
      return await answer.then(
        ({ text }) => text,
        () => "stopped",
      );
    });
    await using env = await startEnvironment({ orchestrations: [agent] });

    expect(await env.run(agent)).toBe("stopped");
    await env.advance(60_000);
    expect(seen).toEqual([true]);
    expect(await env.history("i")).not.toContainEqual(expect.stringMatching(/ActivityCompleted/));
  });
});

// stored-result.R2
describe("the metadata of a provider", () => {
  engineScenario("loses what JSON cannot hold, and the call is made once", async (start) => {
    const fake = fakeModel(() => ({ text: "yes" }));
    const generate = fake.model.doGenerate;
    const odd = { tokens: 7n, share: Number.NaN, seen: new Map([[1, 2]]), trace: "t-1" };
    fake.model.doGenerate = async (call) => ({
      ...(await generate(call)),
      providerMetadata: { p: odd as never },
    });
    const agent = orchestration("agent", async (ctx) =>
      ctx.deterministic(async () => {
        const { text, finalStep } = await generateText({ model: durable(ctx, fake), prompt: "?" });
        return [text, finalStep.providerMetadata?.["p"] as unknown];
      }),
    );
    const env = await start({ orchestrations: [agent] });

    const result = await env.run(agent);
    expect(result).toEqual(["yes", { tokens: 7, share: null, seen: {}, trace: "t-1" }]);
    expect(fake.calls()).toBe(1);
  });
});

describe("errors of a model", () => {
  const answer = (fake: ReturnType<typeof fakeModel>, options?: DurableCallsOptions) =>
    orchestration("answer", async (ctx) =>
      ctx.deterministic(
        async () => (await generateText({ model: durable(ctx, fake, options), prompt: "?" })).text,
      ),
    );

  const overloaded = (fields: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
    new APICallError({
      message: "overloaded",
      url: "http://model",
      requestBodyValues: { secret: "the whole prompt" },
      statusCode: 529,
      isRetryable: true,
      ...fields,
    });

  // durable-calls.C1
  it("are retried by the step, and not by the SDK once more", async () => {
    const fake = fakeModel(() => {
      throw overloaded();
    });
    await using env = await startEnvironment({ orchestrations: [answer(fake)] });

    const error = await env.failure(await env.client.start("answer", { instanceId: "i" }));

    expect(error.message).toContain("overloaded (529)");
    expect(fake.calls()).toBe(5);
  });

  it("that another try meets again end the retries", async () => {
    const fake = fakeModel(() => {
      throw overloaded({ statusCode: 401, isRetryable: false, message: "no key" });
    });
    await using env = await startEnvironment({ orchestrations: [answer(fake)] });

    const error = await env.failure(await env.client.start("answer", { instanceId: "i" }));

    expect(error.message).toContain("no key (401)");
    expect(fake.calls()).toBe(1);
  });

  it("decide the pause before the next try", async () => {
    const times: number[] = [];
    const fake = fakeModel(() => {
      times.push(env.clock.now());
      if (times.length === 1) throw overloaded({ responseHeaders: { "retry-after": "30" } });
      return { text: "yes" };
    });
    await using env = await startEnvironment({ orchestrations: [answer(fake)] });
    expect(await env.run("answer", { instanceId: "i" })).toBe("yes");

    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(30_000);
  });

  // model-error.E1
  it("are stored without the request", async () => {
    const fake = fakeModel(() => {
      throw overloaded();
    });
    await using env = await startEnvironment({ orchestrations: [answer(fake)] });
    await env.failure(await env.client.start("answer", { instanceId: "i" }));

    expect(JSON.stringify(await env.events("i"))).not.toContain("the whole prompt");
  });

  // assemble.A1
  it("include a stream that ends before the answer is complete", async () => {
    const fake = fakeModel(() => ({ text: "half of" }));
    const whole = fake.model.doStream;
    let isCut = true;
    fake.model.doStream = async (call) => {
      const { stream: parts } = await whole(call);
      if (!isCut) return { stream: parts };
      isCut = false;
      const withoutEnd = new TransformStream({
        transform(part, controller) {
          if (part.type !== "finish") controller.enqueue(part);
        },
      });
      return { stream: parts.pipeThrough(withoutEnd) };
    };
    await using env = await startEnvironment({ orchestrations: [answer(fake, { stream: shown })] });

    expect(await env.run("answer", { instanceId: "i" })).toBe("half of");
    expect(fake.calls()).toBe(2);
  });

  it("include an abort after which the provider ends its stream as if it were complete", async () => {
    const fake = fakeModel(
      () => ({ text: "half of it" }),
      async (part) => {
        if (part.type === "text-delta" && part.delta === "it" && fake.calls() === 1)
          await env.advance(700_000);
      },
    );
    await using env = await startEnvironment({ orchestrations: [answer(fake, { stream: shown })] });

    expect(await env.run("answer", { instanceId: "i" })).toBe("half of it");
    expect(fake.calls()).toBe(2);
  });
});
