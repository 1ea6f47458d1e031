/** `duroxide export`: instances as lines of JSON, for `duroxide import` into another store. */
import type { AnyClient } from "@duroxide-ts/core/client";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, type ExitCode } from "../errors/exit-code.ts";
import { readLimitsIfAny } from "../instances/read-limits.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";
import { Progress } from "../terminal/progress.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { safeJson } from "../text/safe-text.ts";
import { counted } from "../text/times.ts";
import { readRecord, recordLine } from "../transfer/instance-record.ts";

export const exportVerb: Verb = defineVerb({
  name: "export",
  takes: "<id…> | - | <filter>",
  flags: TARGET_FLAGS,
  details: `
A line holds an instance with the histories of its executions. Messages that wait in the queues are left out,
and so are schedules and limits: a filter says how many of these the store has.`,
  examples: [
    ["export --status failed --since 1h > failed.jsonl", "what failed in the last hour"],
    ["export order-42 | duroxide import - --store sqlite:desk.db --create", "one instance, to a desk"],
  ],
  run: exportInstances,
});

async function exportInstances(call: Call<typeof TARGET_FLAGS>): Promise<ExitCode> {
  const { terminal } = call;
  const store = await call.store("read");
  const { ids } = await readTargets(store, "export", call);
  using progress = new Progress(terminal, ids.length);
  for (const [at, id] of ids.entries()) {
    if (terminal.interrupted.aborted) return EXIT.interrupted;
    terminal.write(`${safeJson(recordLine(await readRecord(store, id)))}\n`);
    progress.show(at + 1);
  }
  if (call.words.length === 0) await tellLeftOut(store.client, terminal);
  return EXIT.ok;
}

/** Says what of the store is no instance, so that nobody takes the file for the whole store. */
async function tellLeftOut(client: AnyClient, terminal: Terminal): Promise<void> {
  const schedules = (await client.schedules.list()).length;
  const limits = (await readLimitsIfAny(client)).length;
  const left = [
    ...(schedules > 0 ? [counted(schedules, "schedule")] : []),
    ...(limits > 0 ? [counted(limits, "limit")] : []),
  ];
  if (left.length === 0) return;
  terminal.note(`Left out: ${left.join(" and ")}; code applies them, or duroxide schedules and limits.\n`);
}
