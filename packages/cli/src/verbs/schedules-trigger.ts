/** `duroxide schedules trigger`: starts a run now. */
import { RECORD } from "../command/flags.ts";
import { jsonArgument } from "../command/json-argument.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { EXIT } from "../errors/exit-code.ts";
import { printAnswer } from "../output/answer.ts";
import { scheduleName } from "../schedules/schedule-name.ts";
import { safeName } from "../text/safe-text.ts";

const FLAGS = {
  input: {
    kind: "text",
    value: "JSON",
    help: "in place of that of the schedule: JSON, @file, or - for stdin",
  },
  ...RECORD,
} as const;

export const schedulesTrigger: Verb = defineVerb({
  name: "schedules trigger",
  takes: "<name>",
  flags: FLAGS,
  details: `
Whatever runs, and also while the schedule is paused. A runtime with the orchestration runs it.`,
  examples: [
    ["schedules trigger nightly --reason 'the night failed'", "one run, now"],
    [`schedules trigger nightly --input '{"keepDays":7}'`, "with another input"],
  ],
  async run(call) {
    const { words, flags, terminal } = call;
    const name = scheduleName("trigger", words);
    const { codec } = await call.config();
    const input = await jsonArgument(flags.input, "--input", { terminal, asValue: codec !== undefined });
    const { client } = await call.store("write");
    const options = { ...recordOf(flags), ...(input !== undefined && { input }) };
    const { instanceId } = await client.schedules.trigger(name, options);
    printAnswer(call, {
      value: { schedule: name, instanceId },
      id: instanceId,
      text: `${safeName(instanceId)} is started\n`,
      next: [["show", instanceId]],
    });
    return EXIT.ok;
  },
});
