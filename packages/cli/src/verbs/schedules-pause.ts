/** `duroxide schedules pause`: no due time runs until it is resumed. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { changeEach } from "../instances/change-each.ts";
import { readIds } from "../instances/targets.ts";

export const schedulesPause: Verb = defineVerb({
  name: "schedules pause",
  takes: "<name…> | -",
  flags: { ...RECORD, ...CHANGE },
  examples: [
    ['schedules pause nightly --reason "the disk is full"', "one schedule"],
    ["schedules list -o ids | duroxide schedules pause - --yes", "all"],
  ],
  async run(call) {
    const { client } = await call.store("write");
    const record = recordOf(call.flags);
    return changeEach(call, await readIds("schedules pause", call), {
      noun: "schedule",
      question: "would not run until they are resumed",
      done: "is paused",
      async apply(name) {
        await client.schedules.pause(name, record);
        return undefined;
      },
      next: ([name]) => [["schedules", "get", name]],
    });
  },
});
