/** The verbs that pause and resume schedules. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { changeEach } from "../instances/change-each.ts";
import { readIds } from "../instances/targets.ts";

interface Switch {
  readonly verb: "pause" | "resume";
  /** The change as one asks for it, and as it was made. */
  readonly question: string;
  readonly done: string;
  /** A reason, for the example. */
  readonly reason: string;
}

export function scheduleSwitch({ verb, question, done, reason }: Switch): Verb {
  const name = `schedules ${verb}`;
  return defineVerb({
    name,
    takes: "<name…> | -",
    flags: { ...RECORD, ...CHANGE },
    examples: [
      [`${name} nightly --reason "${reason}"`, "one schedule"],
      [`schedules list -o ids | duroxide ${name} - --yes`, "all"],
    ],
    async run(call) {
      const { schedules } = (await call.store("write")).client;
      const record = recordOf(call.flags);
      return changeEach(call, await readIds(name, call), {
        noun: "schedule",
        question,
        done,
        async apply(schedule) {
          await schedules[verb](schedule, record);
          return undefined;
        },
        next: ([schedule]) => [["schedules", "get", schedule]],
      });
    },
  });
}
