/** `duroxide schedules delete`: forgets schedules; their runs stay. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import { changeEach } from "../instances/change-each.ts";
import { readIds } from "../instances/targets.ts";

export const schedulesDelete: Verb = defineVerb({
  name: "schedules delete",
  takes: "<name…> | -",
  flags: { ...RECORD, ...CHANGE },
  examples: [
    ['schedules delete nightly --reason "the disk is full"', "one schedule"],
    ["schedules list -o ids | duroxide schedules delete - --yes", "all"],
  ],
  async run(call) {
    const { client } = await call.store("write");
    const record = recordOf(call.flags);
    return changeEach(call, await readIds("schedules delete", call), {
      noun: "schedule",
      question: "would be deleted",
      done: "is deleted",
      remark: "Their runs stay.",
      async apply(name) {
        if (await client.schedules.delete(name, record)) return undefined;
        throw new CommandError(EXIT.notFound, "there is no such schedule");
      },
      next: () => [["schedules", "list"]],
    });
  },
});
