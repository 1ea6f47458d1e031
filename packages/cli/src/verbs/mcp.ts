/** `duroxide mcp`: a Model Context Protocol server for agents, over stdin and stdout. */
import { once } from "node:events";
import { sleep } from "@duroxide-ts/core/client";
import { defineVerb, type Verb } from "../command/verb.ts";
import { EXIT } from "../errors/exit-code.ts";
import { lineAnswers } from "../mcp/json-rpc.ts";
import { readingStore } from "../mcp/reading-store.ts";
import { READING_TOOLS } from "../mcp/reading-tools.ts";
import { mcpServer } from "../mcp/server.ts";
import { WRITING_TOOLS } from "../mcp/writing-tools.ts";
import { redactOf } from "../store/config.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * Answers come in the order of the lines, because programs that write several at once read them so; but a call that takes
 * longer than this, such as a question to an instance, holds no other up, ms.
 */
const PATIENCE_MS = 250;

/** Resolves when the promise does, or after this time. */
async function atMost(ms: number, { clock }: Terminal, promise: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([promise, sleep(clock, ms, over.signal)]);
  over.abort();
}

export const mcp: Verb = defineVerb({
  name: "mcp",
  takes: "",
  flags: {
    "allow-write": { kind: "switch", help: "offers tools that change something too" },
  },
  details: `
Agents see payloads as they are stored, or, where duroxide.config has a redact, as it lets them be seen; cut after
2,000 characters. Without --allow-write the store is opened for reading. It ends when stdin ends, or with Ctrl-C.`,
  examples: [
    ["mcp", "tools that look"],
    ["mcp --allow-write --store sqlite:orders.db", "tools that steer, too"],
  ],
  async run({ store, config, flags, terminal, version }) {
    const writes = flags["allow-write"];
    const opened = await store(writes ? "write" : "read");
    const tools = writes ? [...READING_TOOLS, ...WRITING_TOOLS] : READING_TOOLS;
    const stores = { reading: readingStore(opened, redactOf(await config()), terminal), writing: opened };
    const server = mcpServer(stores, tools, version, () => terminal.clock.now());
    const answer = lineAnswers((method, params) => server.handle(method, params));
    const write = (reply: string | undefined): void => {
      if (reply !== undefined) terminal.write(`${reply}\n`);
    };
    const underWay = new Set<Promise<void>>();
    for await (const line of terminal.lines()) {
      if (line.trim() === "") continue;
      const answered = answer(line).then(write);
      underWay.add(answered);
      void answered.finally(() => underWay.delete(answered));
      await atMost(PATIENCE_MS, terminal, answered);
    }
    const { interrupted } = terminal;
    await Promise.race([Promise.all(underWay), once(interrupted, "abort")]);
    return EXIT.ok;
  },
});
