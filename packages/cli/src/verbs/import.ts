/** `duroxide import`: stores the instances of an export. */
import { createReadStream, existsSync } from "node:fs";
import path from "node:path";
import type { Provider } from "@duroxide-ts/core";
import { CHANGE } from "../command/flags.ts";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { EXIT, type ExitCode, usage } from "../errors/exit-code.ts";
import { writeNext } from "../output/answer.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { confirm } from "../terminal/confirm.ts";
import { Progress } from "../terminal/progress.ts";
import { readLines } from "../terminal/read-lines.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { safeName } from "../text/safe-text.ts";
import { count } from "../text/times.ts";
import { Family } from "../transfer/family.ts";
import { type InstanceRecord, parseRecord } from "../transfer/instance-record.ts";
import { isOpen, presenceOf, storeRecord } from "../transfer/store-record.ts";

const FLAGS = {
  create: { kind: "switch", help: "creates the SQLite file" },
  ...CHANGE,
} as const;

export const importVerb: Verb = defineVerb({
  name: "import",
  takes: "<file.jsonl> | -",
  flags: FLAGS,
  details: `
Into a store without workers. Instances that exist are left as they are. An instance that was running is
suspended, and its open timers, activities and children are not queued: it is there to be looked at, replayed, or
rewound. The store shows the time of the import as the time of its start; its events keep theirs. After an import that
was ended, the same import goes on; until then no worker runs what is half imported.`,
  examples: [
    ["import failed.jsonl --store sqlite:desk.db --create", "into a new file"],
    ["import failed.jsonl --dry-run", "what would be stored, and what exists already"],
    ["import failed.jsonl -o json --yes", "in a script"],
  ],
  run: importInstances,
});

/** The number of instances. */
interface Outcome {
  stored: number;
  existing: number;
  suspended: number;
}

async function importInstances(call: Call<typeof FLAGS>): Promise<ExitCode> {
  const { flags, terminal } = call;
  const from = oneId(call.words, "import <file.jsonl>");
  if (flags["dry-run"]) return plan(call, from);
  if (from === "-" && !flags.yes && !flags.create)
    throw usage("With lines from stdin it needs --yes, or --create");
  checkFile(terminal, from);
  const { provider } = await call.store(flags.create ? "create" : "write");
  if (!flags.create)
    await confirm(terminal, `The instances of ${safeName(from)} would be stored.`, flags.yes);
  const family = new Family();
  const outcome = await each(call, from, (record) =>
    storeRecord(provider, record, { nowMs: terminal.clock.now(), family }),
  );
  show(call, outcome, {
    sentence: `${outcome.stored === 1 ? "1 instance is" : `${count(outcome.stored)} instances are`} stored`,
    next: true,
  });
  return EXIT.ok;
}

/** Reads the file and the store, and changes nothing. */
async function plan(call: Call<typeof FLAGS>, from: string): Promise<ExitCode> {
  if (call.flags.create) throw usage("--dry-run looks into a store that exists; leave out --create");
  checkFile(call.terminal, from);
  const { provider } = await call.store("read");
  const outcome = await each(call, from, (record) => isMissing(provider, record));
  const instances = outcome.stored === 1 ? "1 instance" : `${count(outcome.stored)} instances`;
  show(call, outcome, { sentence: `${instances} would be stored`, next: false });
  return EXIT.ok;
}

async function isMissing(provider: Provider, { instanceId }: InstanceRecord): Promise<boolean> {
  return (await presenceOf(provider, instanceId)) !== "whole";
}

/** Counts the instances of the file that `store` returns true for, and those that exist. */
async function each(
  { terminal }: Call<typeof FLAGS>,
  from: string,
  store: (record: InstanceRecord) => Promise<boolean>,
): Promise<Outcome> {
  const done: Outcome = { stored: 0, existing: 0, suspended: 0 };
  let line = 0;
  using progress = new Progress(terminal);
  for await (const text of from === "-" ? terminal.lines() : linesOf(path.resolve(terminal.folder, from))) {
    line += 1;
    if (text.trim() === "") continue;
    const record = parseRecord(text, line);
    if (await store(record)) {
      done.stored += 1;
      if (isOpen(record)) done.suspended += 1;
    } else done.existing += 1;
    progress.show(line);
  }
  return done;
}

interface Shown {
  readonly sentence: string;
  /** Whether the next step is named. */
  readonly next: boolean;
}

function show({ terminal, form }: Call, done: Outcome, { sentence, next }: Shown): void {
  if (form === "json") terminal.write(formatJson(done));
  if (form === "jsonl") terminal.write(formatJsonLine(done));
  if (form !== "table") return;
  const existing = done.existing === 0 ? "" : `, ${count(done.existing)} exist already`;
  const unchanged = next ? "" : ". Nothing was changed (--dry-run).";
  terminal.write(`${sentence} (${count(done.suspended)} suspended)${existing}${unchanged}\n`);
  if (next) writeNext(terminal, [["list"]]);
}

/** Before a store is opened or created. */
function checkFile({ folder }: Terminal, from: string): void {
  if (from === "-" || existsSync(path.resolve(folder, from))) return;
  throw usage(`There is no file ${from}`, "duroxide export writes one");
}

function linesOf(file: string): AsyncIterable<string> {
  return readLines(createReadStream(file));
}
