/** `duroxide workers`: the processes that run instances. */
import type { Worker, WorkerSlots } from "@duroxide-ts/core";
import { WATCH } from "../command/flags.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { printListing } from "../output/listing.ts";
import type { Column } from "../output/table.ts";
import { watched } from "../terminal/watched.ts";
import { shortTime, span, zoneOf } from "../text/times.ts";

export const workers: Verb = defineVerb({
  name: "workers",
  takes: "",
  flags: WATCH,
  details: `
Processes of the last two minutes. Rust workers do not report themselves.`,
  examples: [
    ["workers --watch", "every two seconds"],
    ["workers -o json", "with all handlers"],
  ],
  run: (call) =>
    watched(call.terminal, call.flags.watch, async () => {
      const { terminal, form } = call;
      const { client } = await call.store("read");
      const rows = await client.admin.workers();
      printListing(terminal, form, {
        columns: columns(terminal.clock.now()),
        rows,
        id: ({ workerId }) => workerId,
        empty: "No process has reported itself within the last two minutes.",
      });
    }),
});

function columns(nowMs: number): readonly Column<Worker>[] {
  return [
    { head: "WORKER", cell: ({ workerId }) => workerId, flexible: true },
    { head: "HOST", cell: ({ host, pid }) => `${host}/${pid}`, flexible: true },
    { head: `SINCE ${zoneOf(nowMs)}`, cell: ({ startedAtMs }) => shortTime(startedAtMs, nowMs) },
    { head: "SEEN", cell: ({ lastSeenAtMs }) => span(Math.max(0, nowMs - lastSeenAtMs)), right: true },
    { head: "TURNS", cell: ({ turns }) => slots(turns), right: true },
    { head: "ACTIVITIES", cell: ({ activitySlots }) => slots(activitySlots), right: true },
    { head: "TAGS", cell: ({ tags }) => tags?.join(", ") ?? "-" },
    { head: "ORCHESTRATIONS", cell: ({ orchestrations }) => versions(orchestrations), flexible: true },
  ];
}

function slots({ busy, all }: WorkerSlots): string {
  return `${busy}/${all}`;
}

/** `checkout 1.0.0, 2.0.0; ship 1.0.0`. */
function versions(orchestrations: Worker["orchestrations"]): string {
  const byName = new Map<string, string[]>();
  for (const { name, version } of orchestrations) byName.set(name, [...(byName.get(name) ?? []), version]);
  return [...byName].map(([name, all]) => `${name} ${all.join(", ")}`).join("; ");
}
