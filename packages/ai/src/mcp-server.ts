/**
 * Tools of a server of the Model Context Protocol.
 *
 * - mcp-server.M1: A process has one client of a server, which its first step connects. A step whose call rejects gives it
 *   up, so that the next attempt connects anew. It is closed when the calls of others that run on it have ended: a tool that
 *   refuses its arguments ends no call of another instance.
 * - mcp-server.M2: The list of tools is the result of a step: a replay has the tools that the code had, whatever the server
 *   offers by then.
 */
import type { OrchestrationContext } from "@duroxide-ts/core";
import { dynamicTool, jsonSchema, type ToolSet } from "ai";
import { type DurableToolsOptions, durableTools } from "./durable-tools.ts";
import { mcpOutput } from "./mcp-output.ts";

/** Methods of a client; `createMCPClient` of `@ai-sdk/mcp` makes one. */
export interface McpClient {
  /** Returns a page of the tools. */
  listTools(options: {
    readonly params?: { readonly cursor: string };
    readonly options: { readonly signal: AbortSignal };
  }): PromiseLike<McpTools>;
  /** Calls a tool; the result is passed on to the model. */
  callTool(call: {
    readonly name: string;
    readonly arguments: Record<string, unknown>;
    readonly options: { readonly signal: AbortSignal };
  }): PromiseLike<unknown>;
  /** Ends the connection. */
  close(): PromiseLike<void>;
}

/** A page of the tools of a server. */
export interface McpTools {
  readonly tools: readonly McpTool[];
  readonly nextCursor?: string | undefined;
}

/** A tool as its server describes it. */
export interface McpTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON schema of the arguments. */
  readonly inputSchema: object;
}

interface Connection {
  readonly client: PromiseLike<McpClient>;
  /** The number of calls that have not ended. */
  calls: number;
}

/** A server, with at most one client in this process. */
export interface McpServer {
  /** Lists the tools in a step, and makes each of their calls a step, as `durableTools` does. */
  tools(ctx: OrchestrationContext, options?: DurableToolsOptions): Promise<ToolSet>;
  /** Closes the client, if there is one: for the shutdown of the process. */
  close(): Promise<void>;
}

/**
 * A server whose tools orchestrations use. `connect` runs in steps, once in each process and again after a failure.
 *
 * @example
 * ```ts
 * import { createMCPClient } from "@ai-sdk/mcp";
 * import { mcpServer } from "@duroxide-ts/ai";
 *
 * const tickets = mcpServer("tickets", () =>
 *   createMCPClient({ transport: { type: "http", url: "https://tickets.example.com/mcp" } }),
 * );
 * ```
 */
export function mcpServer(name: string, connect: () => PromiseLike<McpClient>): McpServer {
  let current: Connection | undefined;
  const open = new Set<Connection>();

  const close = async (connection: Connection): Promise<void> => {
    if (open.delete(connection)) await (await connection.client).close();
  };

  const withClient = async <T>(use: (client: McpClient) => PromiseLike<T>): Promise<T> => {
    current ??= { client: connect(), calls: 0 };
    const used = current;
    open.add(used);
    used.calls += 1;
    try {
      return await use(await used.client);
    } catch (error) {
      if (current === used) current = undefined;
      throw error;
    } finally {
      used.calls -= 1;
      if (used.calls === 0 && current !== used) close(used).catch(() => {});
    }
  };

  const callable = (tool: McpTool): ToolSet[string] =>
    dynamicTool({
      ...(tool.description !== undefined && { description: tool.description }),
      inputSchema: jsonSchema(tool.inputSchema),
      execute: (input, { abortSignal = new AbortController().signal }) =>
        withClient((each) =>
          each.callTool({
            name: tool.name,
            arguments: input as Record<string, unknown>,
            options: { signal: abortSignal },
          }),
        ),
      toModelOutput: ({ output }) => mcpOutput(output),
    });

  return {
    async tools(ctx, options = {}) {
      const { stream: _stream, approval: _approval, ...step } = options;
      const listed = await ctx.run(
        `${name} tools`,
        ({ signal }) => withClient((each) => listAll(each, signal)),
        step,
      );
      const tools = listed as readonly McpTool[];
      return durableTools(ctx, Object.fromEntries(tools.map((tool) => [tool.name, callable(tool)])), options);
    },
    async close() {
      current = undefined;
      await Promise.all([...open].map(close));
    },
  };
}

async function listAll(client: McpClient, signal: AbortSignal): Promise<readonly McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools({
      ...(cursor !== undefined && { params: { cursor } }),
      options: { signal },
    });
    tools.push(
      ...page.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}
