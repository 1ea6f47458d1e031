/** `duroxide import`: stores the instances of an export. */
import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { CHANGE } from "../command/flags.ts";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { EXIT, type ExitCode, usage } from "../errors/exit-code.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { nextLine } from "../output/next-line.ts";
import { confirm } from "../terminal/confirm.ts";
import { Progress } from "../terminal/progress.ts";
import { count } from "../text/times.ts";
import { parseRecord } from "../transfer/instance-record.ts";
import { storeRecord } from "../transfer/store-record.ts";

const FLAGS = {
  create: { kind: "switch", help: "creates the SQLite file" },
  yes: CHANGE.yes,
} as const;

export const importVerb: Verb = defineVerb({
  name: "import",
  takes: "<file.jsonl> | -",
  flags: FLAGS,
  details: `
Into a store without workers. Instances that exist are left as they are. An instance that was running is
suspended, and its open timers, activities and children are not queued: it is there to be looked at, replayed, or
rewound. The store shows the time of the import as the time of its start; its events keep theirs.`,
  examples: [
    ["import failed.jsonl --store sqlite:desk.db --create", "into a new file"],
    ["import failed.jsonl -o json --yes", "in a script"],
  ],
  run: importInstances,
});

async function importInstances(call: Call<typeof FLAGS>): Promise<ExitCode> {
  const { flags, terminal, form } = call;
  const from = oneId(call.words, "import <file.jsonl>");
  if (from === "-" && !flags.yes && !flags.create)
    throw usage("With lines from stdin it needs --yes, or --create");
  const { provider, client } = await call.store(flags.create ? "create" : "write");
  if (!flags.create) await confirm(terminal, `The instances of ${from} would be stored.`, flags.yes);
  const done = { stored: 0, existing: 0, suspended: 0 };
  let line = 0;
  {
    using progress = new Progress(terminal);
    for await (const text of from === "-" ? terminal.lines() : linesOf(path.resolve(terminal.folder, from))) {
      line += 1;
      if (text.trim() === "") continue;
      const record = parseRecord(text, line);
      if (!(await storeRecord(provider, record))) done.existing += 1;
      else {
        done.stored += 1;
        if ((await client.admin.info(record.instanceId)).status === "Running") {
          await client.admin.suspend(record.instanceId, { reason: "imported", by: "duroxide import" });
          done.suspended += 1;
        }
      }
      progress.show(line);
    }
  }
  if (form === "table") {
    const existing = done.existing === 0 ? "" : `, ${count(done.existing)} existed already`;
    terminal.write(
      `${done.stored === 1 ? "1 instance is" : `${count(done.stored)} instances are`} stored (${count(done.suspended)} suspended)${existing}\n`,
    );
    terminal.write(`${terminal.style("dim", nextLine([["list"]]))}\n`);
  } else if (form !== "ids") terminal.write((form === "json" ? formatJson : formatJsonLine)(done));
  return EXIT.ok;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}
