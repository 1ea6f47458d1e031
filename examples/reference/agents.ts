/** Parts that an agent streams, its bill, and tools of a server without a library. */
import {
  type AgentPart,
  BudgetError,
  type McpClient,
  type McpTool,
  mcpServer,
  type Spent,
} from "@duroxide-ts/ai";

export function line(part: AgentPart): string {
  switch (part.type) {
    case "tool-call":
      return `${part.tool}(${part.input}) as ${part.toolCallId}`;
    case "tool-end":
      return `${part.tool} ${part.error === undefined ? "is done" : part.error} (${part.toolCallId})`;
    case "approval":
      return `${part.tool} waits for a person: ${part.id}`;
    case "decision":
      return `${part.id}: ${part.by ?? "somebody"} said ${part.approved ? "yes" : "no"}, ${part.reason ?? ""}`;
    case "finish":
      return `ended: ${part.reason}`;
    default:
      return part.type;
  }
}

export function bill({ tokens, money, steps, added }: Spent): string {
  return `${tokens} tokens in ${steps} calls for ${money}; added later: ${JSON.stringify(added)}`;
}

export function explain(error: unknown): string {
  return error instanceof BudgetError ? `${error.code}: ${bill(error.spent)}` : String(error);
}

const LOOK_UP: McpTool = { name: "lookUp", description: "Finds an order", inputSchema: { type: "object" } };

/** The three methods that a client of a server of tools has. */
const client: McpClient = {
  async listTools() {
    return { tools: [LOOK_UP], nextCursor: undefined };
  },
  async callTool({ name, arguments: input }) {
    return { content: [{ type: "text", text: `${name} found ${JSON.stringify(input)}` }] };
  },
  async close() {},
};

export const orders = mcpServer("orders", async () => client);
