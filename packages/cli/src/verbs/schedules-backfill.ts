/** `duroxide schedules backfill`: runs the due times of a period. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { usage } from "../errors/exit-code.ts";
import { changeEach } from "../instances/change-each.ts";
import { scheduleName } from "../schedules/schedule-name.ts";
import { momentMs } from "../text/span.ts";
import { exactTime } from "../text/times.ts";

const FLAGS = {
  from: { kind: "moment", value: "WHEN", help: "first instant: 2026-11-01T00:00Z, or 7d ago as 7d" },
  to: { kind: "moment", value: "WHEN", help: "last instant; now by default" },
  ...RECORD,
  ...CHANGE,
} as const;

export const schedulesBackfill: Verb = defineVerb({
  name: "schedules backfill",
  takes: "<name>",
  flags: FLAGS,
  details: `
Due times that have a run are not run again. Runs of a backfill do not count for overlap.`,
  examples: [
    ["schedules backfill nightly --from 7d", "the due times of the last week"],
    ["schedules backfill nightly --from 2026-11-01 --to 2026-11-07 --dry-run", "says what would be done"],
  ],
  async run(call) {
    const { words, flags, terminal } = call;
    const name = scheduleName("backfill", words);
    const nowMs = terminal.clock.now();
    if (flags.from === undefined) throw usage("It needs --from", "--from 7d");
    const from = momentMs(flags.from, nowMs);
    const to = flags.to === undefined ? nowMs : momentMs(flags.to, nowMs);
    const { client } = await call.store("write");
    return changeEach(
      call,
      { ids: [name], names: "", single: true },
      {
        noun: "schedule",
        question: `would run its due times from ${exactTime(from)} to ${exactTime(to)}`,
        done: "runs them",
        async apply() {
          await client.schedules.backfill(name, { from, to, ...recordOf(flags) });
          return undefined;
        },
        next: () => [["schedules", "runs", name]],
      },
    );
  },
});
