/** `duroxide export`: instances as lines of JSON, for `duroxide import` into another store. */
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, type ExitCode } from "../errors/exit-code.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";
import { Progress } from "../terminal/progress.ts";
import { safeJson } from "../text/safe-text.ts";
import { readRecord, recordLine } from "../transfer/instance-record.ts";

export const exportVerb: Verb = defineVerb({
  name: "export",
  takes: "<id…> | - | <filter>",
  flags: TARGET_FLAGS,
  details: `
A line holds an instance with the histories of its executions. Messages that wait in the queues are left out.`,
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
  return EXIT.ok;
}
