/** `duroxide schedules trigger`: starts a run now. */
import { RECORD } from "../command/flags.ts";
import { jsonArgument } from "../command/json-argument.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { EXIT } from "../errors/exit-code.ts";
import { idLine } from "../output/id-line.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { nextLine } from "../output/next-line.ts";
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
    const { words, flags, form, terminal } = call;
    const name = scheduleName("trigger", words);
    const { codec } = await call.config();
    const input = await jsonArgument(flags.input, "--input", { terminal, asValue: codec !== undefined });
    const { client } = await call.store("write");
    const options = { ...recordOf(flags), ...(input !== undefined && { input }) };
    const { instanceId } = await client.schedules.trigger(name, options);
    if (form === "ids") terminal.write(`${idLine(instanceId)}\n`);
    else if (form !== "table")
      terminal.write((form === "json" ? formatJson : formatJsonLine)({ schedule: name, instanceId }));
    else {
      const next = nextLine([["show", instanceId]]);
      terminal.write(
        `${safeName(instanceId)} is started\n${next === "" ? "" : `${terminal.style("dim", next)}\n`}`,
      );
    }
    return EXIT.ok;
  },
});
