/** `duroxide history export`: histories as files, for `duroxide replay`. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { exportHistory, type Redact } from "@duroxide-ts/core/testing";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, type ExitCode, usage } from "../errors/exit-code.ts";
import { fileNameOf } from "../instances/file-name.ts";
import { FILTER_FLAGS, hasFilter, selectionOf } from "../instances/filter-flags.ts";
import { findInstances } from "../instances/find-instances.ts";
import { printListing } from "../output/listing.ts";
import { nextLine } from "../output/next-line.ts";
import type { OpenStore } from "../store/open-store.ts";
import { Progress } from "../terminal/progress.ts";

const FLAGS = {
  ...FILTER_FLAGS,
  out: { kind: "text", value: "DIR", help: "the folder of the files (histories)" },
  "per-version": {
    kind: "number",
    value: "N",
    least: 1,
    help: "at most so many of each orchestration and version",
  },
  redact: { kind: "text", value: "FILE", help: "a module that exports redact(text, place)" },
} as const;

export const historyExport: Verb = defineVerb({
  name: "history export",
  takes: "[<id…>] [<filter>]",
  flags: FLAGS,
  details: `
A file for each instance, with all its executions. --redact replaces payloads; stacks are left out then.`,
  examples: [
    ["history export --per-version 5 --out histories", "a sample of every version, for CI"],
    ["history export order-42 --redact redact.js", "one instance without its payloads"],
  ],
  run: exportHistories,
});

interface Written {
  readonly instanceId: string;
  readonly file: string;
}

async function exportHistories(call: Call<typeof FLAGS>): Promise<ExitCode> {
  const { flags, terminal, form } = call;
  const folder = path.resolve(terminal.folder, flags.out ?? "histories");
  const redact =
    flags.redact === undefined ? undefined : await loadRedact(path.resolve(terminal.folder, flags.redact));
  const store = await call.store("read");
  await mkdir(folder, { recursive: true });
  const written: Written[] = [];
  {
    using progress = new Progress(terminal);
    for await (const instanceId of chosen(call, store)) {
      if (terminal.interrupted.aborted) return EXIT.interrupted;
      const text = await exportHistory(store.client, instanceId, redact === undefined ? {} : { redact });
      const file = path.join(folder, `${fileNameOf(instanceId)}.json`);
      await writeFile(file, text);
      written.push({ instanceId, file });
      progress.show(written.length);
    }
  }
  printListing<Written>(terminal, form, {
    columns: [
      { head: "INSTANCE", cell: ({ instanceId }) => instanceId },
      { head: "FILE", cell: ({ file }) => path.relative(terminal.folder, file) },
    ],
    rows: written,
    id: ({ instanceId }) => instanceId,
    empty: "No instances match.",
    foot: nextLine([["replay", path.relative(terminal.folder, folder)]]),
  });
  return EXIT.ok;
}

async function* chosen(
  { words, flags, terminal }: Call<typeof FLAGS>,
  store: OpenStore,
): AsyncGenerator<string> {
  if (words.length > 0) {
    if (hasFilter(flags)) throw usage("Give ids, or a filter, and not both");
    return yield* words;
  }
  const perVersion = flags["per-version"] ?? Number.POSITIVE_INFINITY;
  const taken = new Map<string, number>();
  for await (const { summary } of findInstances(store, selectionOf(flags, terminal.clock.now()))) {
    const key = JSON.stringify([summary.orchestrationName, summary.orchestrationVersion]);
    const count = taken.get(key) ?? 0;
    // An instance without a turn has no history.
    if (count >= perVersion || summary.orchestrationVersion === "unknown") continue;
    taken.set(key, count + 1);
    yield summary.instanceId;
  }
}

async function loadRedact(file: string): Promise<Redact> {
  const { redact } = (await import(pathToFileURL(file).href)) as { readonly redact?: Redact };
  if (typeof redact === "function") {
    return (text, place) => {
      const shown: unknown = redact(text, place);
      if (typeof shown === "string") return shown;
      throw usage(
        `redact of ${file} returned no text`,
        "redact(text, place) takes a stored text and returns one",
      );
    };
  }
  throw usage(`${file} exports no function redact(text, place)`);
}
