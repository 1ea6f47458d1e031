/** `duroxide dead-letters list`: rows that no process could read. */
import type { DeadLetter } from "@duroxide-ts/core";
import type { AnyAdmin } from "@duroxide-ts/core/client";
import { LIMIT } from "../command/flags.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { EXIT } from "../errors/exit-code.ts";
import { readDeadLetters } from "../instances/read-dead-letters.ts";
import { printListing } from "../output/listing.ts";
import { nextLine } from "../output/next-line.ts";
import type { Column } from "../output/table.ts";
import { shortTime, zoneOf } from "../text/times.ts";

export const deadLettersList: Verb = defineVerb({
  name: "dead-letters list",
  takes: "",
  flags: LIMIT,
  examples: [
    ["dead-letters list", "what was taken out of the queues, and why"],
    ["dead-letters list -o ids", "ids for requeue and drop"],
  ],
  async run({ store, flags, form, terminal }) {
    const { admin }: { readonly admin: AnyAdmin } = (await store("read")).client;
    const rows = await readDeadLetters(admin, flags.limit ?? 50);
    printListing(terminal, form, {
      columns: columns(terminal.clock.now()),
      rows,
      id: ({ id }) => id,
      empty: "No dead letters.",
      foot: nextLine([["dead-letters", "show", rows[0]?.id]]),
    });
    return EXIT.ok;
  },
});

function columns(nowMs: number): readonly Column<DeadLetter>[] {
  return [
    { head: "#", cell: ({ id }) => id },
    { head: `WHEN ${zoneOf(nowMs)}`, cell: ({ movedAtMs }) => shortTime(movedAtMs, nowMs) },
    { head: "QUEUE", cell: ({ kind }) => kind },
    { head: "INSTANCE", cell: ({ instanceId }) => instanceId, flexible: true },
    { head: "REASON", cell: ({ reason }) => reason, flexible: true },
  ];
}
