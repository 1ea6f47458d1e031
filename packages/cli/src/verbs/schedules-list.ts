/** `duroxide schedules list`: all schedules. */
import type { ScheduleInfo } from "@duroxide-ts/core";
import { scheduleRule, scheduleState } from "@duroxide-ts/core/operate";
import { WATCH } from "../command/flags.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { printListing } from "../output/listing.ts";
import { nextLine } from "../output/next-line.ts";
import type { Column } from "../output/table.ts";
import { watched } from "../terminal/watched.ts";
import { shortTime, zoneOf } from "../text/times.ts";

export const schedulesList: Verb = defineVerb({
  name: "schedules list",
  takes: "",
  flags: WATCH,
  examples: [
    ["schedules list", "with their next and last due times"],
    ["schedules list -o jsonl", "with all of their rules"],
  ],
  run: (call) =>
    watched(call.terminal, call.flags.watch, async () => {
      const { terminal, form } = call;
      const { client } = await call.store("read");
      const rows = await client.schedules.list();
      printListing(terminal, form, {
        columns: columns(terminal.clock.now()),
        rows,
        id: ({ name }) => name,
        empty: "There are no schedules. Code gives them to Runtime.start({ schedules }).",
        foot: nextLine([["schedules", "runs", rows[0]?.name]]),
      });
    }),
});

function columns(nowMs: number): readonly Column<ScheduleInfo>[] {
  const time = (atMs: number | undefined): string => (atMs === undefined ? "-" : shortTime(atMs, nowMs));
  return [
    { head: "NAME", cell: ({ name }) => name, flexible: true },
    { head: "STATE", cell: scheduleState },
    { head: "WHEN", cell: scheduleRule, flexible: true },
    { head: `NEXT ${zoneOf(nowMs)}`, cell: ({ nextDueMs }) => time(nextDueMs) },
    { head: "LAST", cell: ({ lastDueMs }) => time(lastDueMs) },
    { head: "ORCHESTRATION", cell: ({ orchestration }) => orchestration, flexible: true },
    { head: "OWNER", cell: ({ owner }) => owner },
  ];
}
