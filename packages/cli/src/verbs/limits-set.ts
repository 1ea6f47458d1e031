/** `duroxide limits set`: replaces the rule of a key. */
import type { LimitRule } from "@duroxide-ts/core";
import { limitText } from "@duroxide-ts/core/operate";
import { RECORD } from "../command/flags.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { EXIT, usage } from "../errors/exit-code.ts";
import { printAnswer } from "../output/answer.ts";
import { safeName } from "../text/safe-text.ts";

const FLAGS = {
  concurrency: { kind: "number", value: "N", least: 1, help: "the most that run at the same time" },
  max: {
    kind: "number",
    value: "N",
    least: 1,
    help: "the rate: the most that begin in each period of --per",
  },
  per: { kind: "duration", value: "SPAN", help: "the period of the rate, such as 1s" },
  burst: { kind: "number", value: "N", least: 1, help: "how many may begin at once after a pause (1)" },
  ...RECORD,
} as const;

export const limitsSet: Verb = defineVerb({
  name: "limits set",
  takes: "<key>",
  flags: FLAGS,
  details: `
What waits obeys the rule at once, what runs goes on. A key such as openai/* is the rule of each key under openai.`,
  examples: [
    ["limits set partner --concurrency 5 --max 10 --per 1s", "five at a time, ten a second"],
    ['limits set "openai/*" --concurrency 3 --reason "a new contract"', "each tenant"],
  ],
  async run(call) {
    const { store, words, flags } = call;
    const key = oneId(words, "limits set <key> --concurrency 5");
    const rule = ruleOf(flags);
    const { client } = await store("write");
    await client.limits.set(key, rule, recordOf(flags));
    printAnswer(call, {
      value: { key, limits: rule },
      text: `${safeName(key)}: ${limitText(key, rule)}\n`,
    });
    return EXIT.ok;
  },
});

interface RuleFlags {
  readonly concurrency: number | undefined;
  readonly max: number | undefined;
  readonly per: number | undefined;
  readonly burst: number | undefined;
}

function ruleOf({ concurrency, max, per, burst }: RuleFlags): LimitRule {
  if ((max === undefined) !== (per === undefined)) throw usage("A rate needs both", "--max 10 --per 1s");
  if (burst !== undefined && max === undefined)
    throw usage("--burst is a part of a rate", "--max 10 --per 1s");
  if (concurrency === undefined && max === undefined)
    throw usage("It needs a limit", "--concurrency 5, or --max 10 --per 1s");
  return {
    ...(concurrency !== undefined && { concurrency }),
    ...(max !== undefined &&
      per !== undefined && { rate: { max, per, ...(burst !== undefined && { burst }) } }),
  };
}
