/** `duroxide ask`: asks a running instance, whose code answers with `ctx.answer`. */
import { jsonArgument } from "../command/json-argument.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, usage } from "../errors/exit-code.ts";
import { printAnswer } from "../output/answer.ts";
import { safeText } from "../text/safe-text.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

export const ask: Verb = defineVerb({
  name: "ask",
  takes: "<id> <question>",
  flags: {
    input: { kind: "text", value: "JSON", help: "JSON, @file, or - for stdin" },
    timeout: { kind: "duration", value: "SPAN", help: "how long it waits; 30s by default" },
    "message-id": { kind: "text", value: "ID", help: "repeats a question: the same answer for an hour" },
  },
  details: `
A process that has the code of the instance must run. Exit code 0 with an answer, 1 if the instance refuses, has ended, is
suspended or blocked, or does not answer in time, 4 if it does not exist.`,
  examples: [
    [`ask basket-7 total --input '{"currency":"EUR"}'`, "the answer as JSON"],
    ["ask basket-7 total --timeout 5s -o json", "with the ids"],
  ],
  async run(call) {
    const { words, flags, terminal, config, store } = call;
    const [id, question, ...more] = words;
    if (id === undefined || question === undefined || more.length > 0)
      throw usage("The form is: duroxide ask <id> <question> [--input JSON]");
    const { codec } = await config();
    const input = await jsonArgument(flags.input, "--input", { terminal, asValue: codec !== undefined });
    const { client } = await store("write");
    const { timeout = DEFAULT_TIMEOUT_MS, "message-id": messageId } = flags;
    try {
      const answer: unknown = await client.handle("any", id).ask<unknown, unknown>(question, input, {
        timeout,
        signal: terminal.interrupted,
        ...(messageId !== undefined && { messageId }),
      });
      const text = `${safeText(JSON.stringify(answer ?? null, null, 2))}\n`;
      printAnswer(call, { value: { instanceId: id, question, answer }, text });
      return EXIT.ok;
    } catch (error) {
      if (terminal.interrupted.aborted) return EXIT.interrupted;
      throw error;
    }
  },
});
