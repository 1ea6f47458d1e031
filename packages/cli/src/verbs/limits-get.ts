/** `duroxide limits get`: what runs and waits under one key. */
import { defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { EXIT } from "../errors/exit-code.ts";
import { limitFields } from "../instances/read-limits.ts";
import { printAnswer } from "../output/answer.ts";
import { formatFields } from "../output/fields.ts";

export const limitsGet: Verb = defineVerb({
  name: "limits get",
  takes: "<key>",
  flags: {},
  details: `
A key of the second level, such as openai/acme, has the rule of openai/* where it has none of its own.`,
  examples: [
    ["limits get partner", "its rule, and what runs and waits"],
    ["limits get openai/acme -o json", "one tenant, for a program"],
  ],
  async run({ store, words, form, terminal }) {
    const key = oneId(words, "limits get <key>");
    const status = await (await store("read")).client.limits.get(key);
    const text = formatFields(limitFields(key, status), terminal);
    printAnswer({ terminal, form: form === "ids" ? "table" : form }, { value: { key, ...status }, text });
    return EXIT.ok;
  },
});
