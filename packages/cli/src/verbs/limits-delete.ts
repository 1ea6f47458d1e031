/** `duroxide limits delete`: removes the rule of a key. */
import { RECORD_ON_STDERR } from "../command/flags.ts";
import { recordingIfAsked, recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import { printAnswer } from "../output/answer.ts";
import { nextLine } from "../output/next-line.ts";
import { safeName } from "../text/safe-text.ts";

export const limitsDelete: Verb = defineVerb({
  name: "limits delete",
  takes: "<key>",
  flags: RECORD_ON_STDERR,
  examples: [
    ["limits delete partner", "the key limits nothing any more"],
    ['limits delete "openai/*" --reason "a new contract"', "with a record on stderr"],
  ],
  async run(call) {
    const { store, words, flags, terminal } = call;
    const key = oneId(words, "limits delete <key>");
    const { client } = await store("write", recordingIfAsked(terminal, flags));
    if (!(await client.limits.list()).some((rule) => rule.key === key))
      throw new CommandError(EXIT.notFound, `${safeName(key)} has no rule`, nextLine([["limits", "list"]]));
    await client.limits.delete(key, recordOf(flags));
    printAnswer(call, { value: { key, deleted: true }, text: `${safeName(key)} limits nothing any more.\n` });
    return EXIT.ok;
  },
});
