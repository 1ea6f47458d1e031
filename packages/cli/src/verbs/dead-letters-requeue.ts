/** `duroxide dead-letters requeue`: puts dead letters back into their queue. */
import { CHANGE, RECORD_ON_STDERR } from "../command/flags.ts";
import { recordingIfAsked, recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import { changeEach } from "../instances/change-each.ts";
import { readIds } from "../instances/targets.ts";

export const deadLettersRequeue: Verb = defineVerb({
  name: "dead-letters requeue",
  takes: "<id…> | -",
  flags: { ...RECORD_ON_STDERR, ...CHANGE },
  examples: [
    ["dead-letters requeue 7", "for processes that can read it"],
    ["dead-letters list -o ids | duroxide dead-letters requeue - --yes", "all"],
  ],
  async run(call) {
    const { client } = await call.store("write", recordingIfAsked(call.terminal, call.flags));
    const record = recordOf(call.flags);
    return changeEach(call, await readIds("dead-letters requeue", call), {
      noun: "dead letter",
      question: "would go back into the queue",
      done: "is back in its queue",
      async apply(id) {
        if (await client.admin.requeueDeadLetter(id, record)) return undefined;
        throw new CommandError(EXIT.notFound, "there is no such dead letter");
      },
      next: () => [["dead-letters", "list"]],
    });
  },
});
