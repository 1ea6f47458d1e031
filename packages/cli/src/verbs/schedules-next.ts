/** `duroxide schedules next`: the due times to come. */
import { LIMIT } from "../command/flags.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { EXIT } from "../errors/exit-code.ts";
import { printListing } from "../output/listing.ts";
import { scheduleName } from "../schedules/schedule-name.ts";
import { exactTime, zoneOf } from "../text/times.ts";

export const schedulesNext: Verb = defineVerb({
  name: "schedules next",
  takes: "<name>",
  flags: LIMIT,
  details: `
Without jitter, in the zone of this machine. A paused schedule has none.`,
  examples: [
    ["schedules next nightly --limit 5", "the next five due times"],
    ["schedules next nightly -o jsonl", "a line of JSON for each"],
  ],
  async run({ words, store, flags, form, terminal }) {
    const name = scheduleName("next", words);
    const { client } = await store("read");
    const times = await client.schedules.next(name, flags.limit ?? 10);
    printListing(terminal, form, {
      columns: [
        { head: `DUE ${zoneOf(terminal.clock.now())}`, cell: (dueMs: number) => exactTime(dueMs) },
        { head: "UTC", cell: (dueMs) => new Date(dueMs).toISOString() },
      ],
      rows: times,
      value: (dueMs) => ({ dueMs, due: new Date(dueMs).toISOString() }),
      empty: "No due time is to come.",
    });
    return EXIT.ok;
  },
});
