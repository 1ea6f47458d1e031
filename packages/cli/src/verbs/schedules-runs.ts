/** `duroxide schedules runs`: the runs of a schedule, newest first. */
import type { InstanceSummary } from "@duroxide-ts/core";
import { hasEnded } from "@duroxide-ts/core/stores";
import { LIMIT } from "../command/flags.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { EXIT } from "../errors/exit-code.ts";
import { printListing } from "../output/listing.ts";
import { nextLine } from "../output/next-line.ts";
import type { Column } from "../output/table.ts";
import { scheduleName } from "../schedules/schedule-name.ts";
import { shortTime, span, zoneOf } from "../text/times.ts";

export const schedulesRuns: Verb = defineVerb({
  name: "schedules runs",
  takes: "<name>",
  flags: LIMIT,
  examples: [
    ["schedules runs nightly", "those by hand too"],
    ["list --schedule nightly --status failed", "those that failed, with the columns of list"],
  ],
  async run({ words, store, flags, form, terminal }) {
    const name = scheduleName("runs", words);
    const { client } = await store("read");
    const { instances } = await client.schedules.runs(name, { limit: flags.limit ?? 50 });
    printListing(terminal, form, {
      columns: columns(terminal.clock.now()),
      rows: instances,
      id: ({ instanceId }) => instanceId,
      empty: "It has no runs.",
      foot: nextLine([["show", instances[0]?.instanceId]]),
    });
    return EXIT.ok;
  },
});

function columns(nowMs: number): readonly Column<InstanceSummary>[] {
  return [
    { head: "RUN", cell: ({ instanceId }) => instanceId, flexible: true },
    { head: "STATUS", cell: ({ status }) => status.toLowerCase() },
    { head: `BEGAN ${zoneOf(nowMs)}`, cell: ({ createdAtMs }) => shortTime(createdAtMs, nowMs) },
    {
      head: "TOOK",
      cell: ({ status, createdAtMs, updatedAtMs }) =>
        hasEnded(status) ? span(updatedAtMs - createdAtMs) : "-",
      right: true,
    },
    { head: "FAILURE", cell: ({ failure }) => failure?.message ?? "-", flexible: true },
  ];
}
