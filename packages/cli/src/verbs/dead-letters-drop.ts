/** `duroxide dead-letters drop`: deletes dead letters. */
import { CHANGE, RECORD_ON_STDERR } from "../command/flags.ts";
import { recordingIfAsked, recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import { changeEach } from "../instances/change-each.ts";
import { readIds } from "../instances/targets.ts";

export const deadLettersDrop: Verb = defineVerb({
  name: "dead-letters drop",
  takes: "<id…> | -",
  flags: { ...RECORD_ON_STDERR, ...CHANGE },
  examples: [
    ["dead-letters drop 7", "one dead letter"],
    ["dead-letters list -o ids | duroxide dead-letters drop - --yes", "all"],
  ],
  async run(call) {
    const { client } = await call.store("write", recordingIfAsked(call.terminal, call.flags));
    const record = recordOf(call.flags);
    return changeEach(call, await readIds("dead-letters drop", call), {
      noun: "dead letter",
      question: "would be deleted",
      remark: "This cannot be undone.",
      done: "is deleted",
      async apply(id) {
        if (await client.admin.dropDeadLetter(id, record)) return undefined;
        throw new CommandError(EXIT.notFound, "there is no such dead letter");
      },
      next: () => [["dead-letters", "list"]],
    });
  },
});
