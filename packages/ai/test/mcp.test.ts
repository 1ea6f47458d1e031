/** Tools of a server of the Model Context Protocol, over the SDK's own client. */
import { createMCPClient } from "@ai-sdk/mcp";
import { orchestration } from "@duroxide-ts/core";
import { generateText, isStepCount, wrapLanguageModel } from "ai";
import { describe, expect, it } from "vitest";
import { startEnvironment } from "../../../test/support/environment.ts";
import { durableCalls, mcpServer } from "../src/index.ts";
import { fakeModel } from "./support/fake-model.ts";
import { ScriptedServer } from "./support/mcp-transport.ts";

const asksTwice = () =>
  fakeModel((turn, { prompt, tools = [] }) => {
    if (turn < 2) return { calls: [{ id: `c${turn}`, tool: "lookup", input: { of: turn } }] };
    const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
    return {
      text: JSON.stringify([
        tools.map(({ name }) => name),
        results.map((each) => "output" in each && each.output),
      ]),
    };
  });

function agentOn(servers: ScriptedServer[], options: { failing?: number } = {}) {
  const server = mcpServer("tickets", () => {
    const transport = new ScriptedServer(servers.length < (options.failing ?? 0) ? "fails" : "works");
    servers.push(transport);
    return createMCPClient({ transport });
  });
  const fake = asksTwice();
  const agent = orchestration("agent", (ctx) =>
    ctx.deterministic(async () => {
      const model = wrapLanguageModel({ model: fake.model, middleware: durableCalls(ctx) });
      const tools = await server.tools(ctx, { retry: { maxAttempts: 3 } });
      return (await generateText({ model, tools, prompt: "?", stopWhen: isStepCount(5) })).text;
    }),
  );
  return { agent, server };
}

describe("an MCP server", () => {
  // mcp-server.M1
  it("has one client in a process, for the list of tools and all their calls", async () => {
    const servers: ScriptedServer[] = [];
    const { agent, server } = agentOn(servers);
    await using env = await startEnvironment({ orchestrations: [agent] });

    const results = [
      await env.finish(await env.client.start(agent, { instanceId: "a" })),
      await env.finish(await env.client.start(agent, { instanceId: "b" })),
    ];

    const value = (of: number) => ({ type: "content", value: [{ type: "text", text: `ticket ${of}` }] });
    expect(JSON.parse(results[0] ?? "")).toEqual([
      ["lookup", "close"],
      [value(0), value(1)],
    ]);
    expect(results[1]).toBe(results[0]);
    expect(servers).toHaveLength(1);
    expect(servers[0]?.calls).toBe(4);
    await server.close();
    expect(servers[0]?.isClosed).toBe(true);
  });

  // mcp-server.M1
  it("is connected anew after a failure", async () => {
    const servers: ScriptedServer[] = [];
    const { agent } = agentOn(servers, { failing: 1 });
    await using env = await startEnvironment({ orchestrations: [agent] });

    expect(await env.run(agent, { instanceId: "a" })).toContain("ticket 1");
    expect(servers.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  // mcp-server.M1
  it("whose tool refuses a call goes on with the calls of others, and is closed when they have ended", async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const closed: number[] = [];
    let clients = 0;
    const server = mcpServer("tickets", async () => {
      const id = clients++;
      const { promise: cut, reject } = Promise.withResolvers<never>();
      cut.catch(() => {});
      return {
        listTools: async () => ({ tools: ["slow", "refuses"].map((name) => ({ name, inputSchema: {} })) }),
        callTool: async ({ name }) => {
          if (name === "refuses") throw new Error("wrong arguments");
          begin();
          return await Promise.race([ended, cut]);
        },
        close: async () => {
          closed.push(id);
          reject(new Error("connection closed"));
        },
      };
    });
    const agent = orchestration("agent", async (ctx, tool: string) => {
      const { execute } = (await server.tools(ctx))[tool] ?? {};
      const call = { toolCallId: tool, messages: [], context: undefined };
      return await Promise.resolve(execute?.({}, call)).catch((error: Error) => error.message);
    });
    await using env = await startEnvironment({ orchestrations: [agent] });
    const slow = await env.client.start(agent, { instanceId: "slow", input: "slow" });
    await begun;
    expect(await env.run(agent, { instanceId: "other", input: "refuses" })).toBe("wrong arguments");
    expect(closed).toEqual([]);
    end("found");
    expect(await env.finish(slow)).toBe("found");
    expect(closed).toEqual([0]);
    await server.close();
  });

  // mcp-server.M2
  it("is not asked by a replay", async () => {
    const servers: ScriptedServer[] = [];
    const { agent } = agentOn(servers);
    await using env = await startEnvironment({ orchestrations: [agent], options: { liveExecutions: 0 } });
    await env.run(agent, { instanceId: "a" });

    expect(servers[0]?.lists).toBe(1);
    expect(servers[0]?.calls).toBe(2);
  });
});
