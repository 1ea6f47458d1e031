/** `duroxide limits get`: what runs and waits under one key. */
import { defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { EXIT } from "../errors/exit-code.ts";
import { limitFields } from "../instances/read-limits.ts";
import { formatFields } from "../output/fields.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";

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
    if (form === "table" || form === "ids") terminal.write(formatFields(limitFields(key, status), terminal));
    else terminal.write((form === "json" ? formatJson : formatJsonLine)({ key, ...status }));
    return EXIT.ok;
  },
});
