/** `duroxide schedules resume`: ends a pause. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { changeEach } from "../instances/change-each.ts";
import { readIds } from "../instances/targets.ts";

export const schedulesResume: Verb = defineVerb({
  name: "schedules resume",
  takes: "<name…> | -",
  flags: { ...RECORD, ...CHANGE },
  examples: [
    ['schedules resume nightly --reason "the disk is full"', "one schedule"],
    ["schedules list -o ids | duroxide schedules resume - --yes", "all"],
  ],
  async run(call) {
    const { client } = await call.store("write");
    const record = recordOf(call.flags);
    return changeEach(call, await readIds("schedules resume", call), {
      noun: "schedule",
      question: "would run again",
      done: "is resumed",
      async apply(name) {
        await client.schedules.resume(name, record);
        return undefined;
      },
      next: ([name]) => [["schedules", "get", name]],
    });
  },
});
