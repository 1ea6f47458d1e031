/** A server of the Model Context Protocol in this process. */
import type { JSONRPCMessage, MCPTransport } from "@ai-sdk/mcp";

const inputSchema = { type: "object", properties: { of: { type: "number" } } };

/** Two pages of tools; `fails` answers each call of a tool with an error. */
export class ScriptedServer implements MCPTransport {
  readonly #how: "works" | "fails";
  calls = 0;
  lists = 0;
  isClosed = false;
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(how: "works" | "fails") {
    this.#how = how;
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.isClosed = true;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) || !("id" in message)) return;
    const { id, method, params } = message;
    const answer = this.#answer(method, params ?? {});
    this.onmessage?.({ jsonrpc: "2.0", id, ...answer } as JSONRPCMessage);
  }

  #answer(method: string, params: Readonly<Record<string, unknown>>): object {
    switch (method) {
      case "initialize":
        return {
          result: {
            protocolVersion: "2025-06-18",
            capabilities: { tools: {} },
            serverInfo: { name: "tickets", version: "1" },
          },
        };
      case "tools/list":
        if (params["cursor"] === "2") return { result: { tools: [{ name: "close", inputSchema }] } };
        this.lists++;
        return {
          result: { tools: [{ name: "lookup", description: "A ticket", inputSchema }], nextCursor: "2" },
        };
      case "tools/call": {
        this.calls++;
        if (this.#how === "fails") return { error: { code: -32000, message: "the server is ill" } };
        const { of } = params["arguments"] as { of: number };
        return { result: { content: [{ type: "text", text: `ticket ${of}` }] } };
      }
      default:
        return { error: { code: -32601, message: "no such method" } };
    }
  }
}
