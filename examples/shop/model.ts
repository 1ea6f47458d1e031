/** Stands for a language model: it decides by the number of tool results that it has seen. */
export interface ToolCall {
  readonly id: string;
  readonly tool: "search" | "refund";
  readonly about: string;
}

export interface Message {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}

export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly tokens: number;
}

export const model = {
  async complete(messages: readonly Message[], signal: AbortSignal): Promise<Reply> {
    signal.throwIfAborted();
    const seen = messages.filter(({ role }) => role === "tool");
    if (seen.length === 0) return { text: "I look.", calls: [call("c1", "search", "7")], tokens: 5 };
    if (seen.length === 1)
      return { text: "It broke.", calls: [call("c2", "refund", "7"), call("c3", "search", "8")], tokens: 5 };
    return { text: seen.map(({ text }) => text).join("; "), calls: [], tokens: 5 };
  },
};

function call(id: string, tool: ToolCall["tool"], about: string): ToolCall {
  return { id, tool, about };
}
