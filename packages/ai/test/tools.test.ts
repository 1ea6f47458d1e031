/** Tools as steps, and their approvals. */
import { type OrchestrationContext, orchestration, stream } from "@duroxide-ts/core";
import { generateText, isStepCount, type ToolSet, tool, wrapLanguageModel } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startEnvironment } from "../../../test/support/environment.ts";
import { engineScenario } from "../../../test/support/scenario.ts";
import {
  type AgentPart,
  type ApprovalPart,
  approval,
  type DurableToolsOptions,
  durableCalls,
  durableTools,
  stepOf,
} from "../src/index.ts";
import { fakeModel } from "./support/fake-model.ts";

const shown = stream<AgentPart>("shown");
const inputSchema = z.object({ of: z.string() });

/** One call of each tool at once; the answer is what the model reads of the results. */
const asking = (...tools: readonly string[]) =>
  fakeModel((turn, { prompt }) => {
    if (turn === 0)
      return { calls: tools.map((name, at) => ({ id: `call_${at}`, tool: name, input: { of: name } })) };
    const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
    return {
      text: JSON.stringify(results.map((part) => (part.type === "tool-result" ? part.output : part))),
    };
  });

function agentOf(fake: ReturnType<typeof fakeModel>, tools: (ctx: OrchestrationContext) => ToolSet) {
  return orchestration(
    "agent",
    async (ctx): Promise<string> =>
      ctx.deterministic(async () => {
        const model = wrapLanguageModel({ model: fake.model, middleware: durableCalls(ctx) });
        return (await generateText({ model, tools: tools(ctx), prompt: "?", stopWhen: isStepCount(5) })).text;
      }),
  );
}

describe("a tool", () => {
  engineScenario("is a step of its name, with the key of its call", async (start) => {
    const ran: string[] = [];
    const refund = tool({
      inputSchema,
      execute: ({ of }, options) => {
        const { activityName, callKey } = stepOf(options);
        ran.push(`${activityName} ${of} ${callKey.length > 0}`);
        return { refunded: of };
      },
    });
    const agent = agentOf(asking("refund", "refund"), (ctx) => durableTools(ctx, { refund }));
    const env = await start({ orchestrations: [agent] });

    const text = await env.run(agent);
    expect(JSON.parse(text)).toEqual([
      { type: "json", value: { refunded: "refund" } },
      { type: "json", value: { refunded: "refund" } },
    ]);
    expect(ran).toEqual(["refund refund true", "refund refund true"]);
  });

  // durable-tools.T2
  engineScenario("tells the model its own error, after its retries", async (start) => {
    let runs = 0;
    const broken = tool({
      inputSchema,
      execute: (): string => {
        runs++;
        throw new Error("the warehouse is closed");
      },
    });
    const agent = agentOf(asking("broken"), (ctx) =>
      durableTools(ctx, { broken }, { stream: shown, retry: { maxAttempts: 2 } }),
    );
    const env = await start({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });

    expect(await env.finish(handle)).toContain('"value":"Error: the warehouse is closed"');
    expect(runs).toBe(2);
    const ends: unknown[] = [];
    for await (const { value } of handle.stream(shown)) ends.push(value);
    expect(ends).toEqual([
      { type: "tool-end", toolCallId: "call_0", tool: "broken", error: "the warehouse is closed" },
    ]);
  });

  it("that yields gives its last value", async () => {
    const counts = tool({
      inputSchema,
      async *execute() {
        yield 1;
        yield 2;
      },
    });
    const agent = agentOf(asking("counts"), (ctx) => durableTools(ctx, { counts }));
    await using env = await startEnvironment({ orchestrations: [agent] });

    expect(await env.run(agent)).toContain('"value":2');
  });

  engineScenario("may make durable calls itself, if it is not passed through durableTools", async (start) => {
    const agent = agentOf(asking("wait"), (ctx) => ({
      wait: tool({ inputSchema, execute: () => ctx.scheduleTimer({ hours: 1 }).then(() => "an hour later") }),
    }));
    const env = await start({ orchestrations: [agent] });

    expect(await env.run(agent)).toContain("an hour later");
  });

  // answers.A1
  it("that does I/O in orchestration code blocks the instance: its refusal is no answer for the model", async () => {
    const fake = asking("get");
    const agent = agentOf(fake, () => ({
      get: tool({ inputSchema, execute: async () => (await fetch("http://127.0.0.1:1")).status }),
    }));
    await using env = await startEnvironment({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await env.advance(1_000);

    expect(JSON.stringify(await handle.status())).toContain("fetch() in orchestration code");
    expect(fake.calls()).toBe(1);
  });

  it("that does not run as a step has no step", async () => {
    const agent = agentOf(asking("bare"), () => ({
      bare: tool({ inputSchema, execute: (_input, options) => stepOf(options).callKey }),
    }));
    await using env = await startEnvironment({ orchestrations: [agent] });

    expect(await env.run(agent)).toContain("durableTools");
  });
});

describe("options of durableTools", () => {
  it.each([
    { retries: 3 },
    { approval: {} },
    { approval: { within: "soon" } },
    { approval: { within: 1, unless: 1 } },
    { approval: true },
  ])("that do not fit are told to the program and not to the model: %j", async (options) => {
    const never = tool({ inputSchema, execute: () => "ran" });
    const agent = agentOf(asking("never"), (ctx) => durableTools(ctx, { never }, options as never));
    await using env = await startEnvironment({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await expect(env.finish(handle)).rejects.toThrow("durableTools");
  });
});

describe("an approval", () => {
  const ran: string[] = [];
  const refund = tool({
    inputSchema,
    execute: ({ of }) => {
      ran.push(of);
      return `refunded ${of}`;
    },
  });

  const approving = (rule: Partial<DurableToolsOptions["approval"]> = {}, ...calls: string[]) => {
    ran.length = 0;
    const tools = calls.length === 0 ? ["refund"] : calls;
    return agentOf(asking(...tools), (ctx) =>
      durableTools(ctx, { refund }, { stream: shown, approval: { within: { hours: 8 }, ...rule } }),
    );
  };

  engineScenario("lets the call run", async (start) => {
    const asked: ApprovalPart[] = [];
    const agent = approving({ asked: (request) => void asked.push(request) });
    const env = await start({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await env.advance(3_600_000);
    expect(ran).toEqual([]);
    await handle.enqueue(approval(asked[0]?.id ?? ""), { approved: true, by: "Grace" });

    expect(await env.finish(handle)).toContain("refunded refund");
    const values: unknown[] = [];
    for await (const { value } of handle.stream(shown)) values.push(value);
    expect(values).toEqual([
      { type: "approval", id: asked[0]?.id, toolCallId: "call_0", tool: "refund", input: { of: "refund" } },
      { type: "decision", id: asked[0]?.id, approved: true, by: "Grace" },
      { type: "tool-end", toolCallId: "call_0", tool: "refund" },
    ]);
  });

  engineScenario("that is refused tells the model by whom and why", async (start) => {
    const asked: ApprovalPart[] = [];
    const agent = approving({ asked: (request) => void asked.push(request) });
    const env = await start({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await env.advance(1_000);
    await handle.enqueue(approval(asked[0]?.id ?? ""), { approved: false, by: "Grace", reason: "too much" });

    expect(await env.finish(handle)).toContain("not approved by Grace: too much");
    expect(ran).toEqual([]);
  });

  engineScenario("that nobody gives in time refuses", async (start) => {
    const agent = approving();
    const env = await start({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });

    expect(await env.finish(handle)).toContain("nobody decided in time");
    expect(ran).toEqual([]);
  });

  it.each([{ approved: "false" }, "yes", 1, null])(
    "is given by `true` only, and not by %j",
    async (decision) => {
      const asked: ApprovalPart[] = [];
      const agent = approving({ asked: (request) => void asked.push(request) });
      await using env = await startEnvironment({ orchestrations: [agent] });
      const handle = await env.client.start(agent, { instanceId: "i" });
      await env.advance(1_000);
      await handle.enqueue(approval(asked[0]?.id ?? "").name, decision);

      expect(await env.finish(handle)).toContain("not approved");
      const types: (string | undefined)[] = [];
      for await (const { value } of handle.stream(shown)) types.push(value?.type);
      expect(types).toEqual(["approval", "decision", "tool-end"]);
      expect(ran).toEqual([]);
    },
  );

  engineScenario("is asked for all calls of an answer at once, each with an id of its own", async (start) => {
    const asked = new Map<string, ApprovalPart>();
    const agent = approving({ asked: (request) => asked.set(request.id, request) }, "refund", "refund");
    const env = await start({ orchestrations: [agent] });
    const handle = await env.client.start(agent, { instanceId: "i" });
    await env.advance(1_000);
    const [first, second] = [...asked.keys()];
    await handle.enqueue(approval(second ?? ""), { approved: true });
    await env.advance(1_000);
    await handle.enqueue(approval(first ?? ""), { approved: false });

    const text = await env.finish(handle);
    expect(JSON.parse(text).map(({ value }: { value: string }) => value)).toEqual([
      "Error: This call was not approved.",
      "refunded refund",
    ]);
  });

  it("is asked for where `when` says so", async () => {
    const agent = approving({ when: (input) => (input as { of: string }).of !== "refund" });
    await using env = await startEnvironment({ orchestrations: [agent] });
    await env.run(agent);

    expect(ran).toEqual(["refund"]);
  });
});
