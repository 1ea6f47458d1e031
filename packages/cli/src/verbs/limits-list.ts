/** `duroxide limits list`: the rules of limits, with what runs and waits. */
import { WATCH } from "../command/flags.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { limitColumns, readLimits } from "../instances/read-limits.ts";
import { printListing } from "../output/listing.ts";
import { watched } from "../terminal/watched.ts";

export const limitsList: Verb = defineVerb({
  name: "limits list",
  takes: "",
  flags: WATCH,
  examples: [
    ["limits list --watch", "every two seconds"],
    ["limits list -o json", "for a program"],
  ],
  run: (call) =>
    watched(call.terminal, call.flags.watch, async () => {
      const { terminal, form } = call;
      const { client } = await call.store("read");
      printListing(terminal, form, {
        columns: limitColumns(terminal.clock.now()),
        rows: await readLimits(client),
        id: ({ key }) => key,
        empty: "No limits.",
      });
    }),
});
