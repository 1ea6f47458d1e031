/** `duroxide replay`: whether today's code does what stored histories record, for CI. */
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyOrchestration } from "@duroxide-ts/core";
import { messageOf } from "@duroxide-ts/core/stores";
import { type ReplayOptions, replay as replayHistory } from "@duroxide-ts/core/testing";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, type ExitCode, usage } from "../errors/exit-code.ts";
import { idLine } from "../output/id-line.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { Progress } from "../terminal/progress.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { withoutMark } from "../terminal/without-mark.ts";
import { safeText } from "../text/safe-text.ts";
import { count } from "../text/times.ts";

const FLAGS = {
  handlers: {
    kind: "text",
    value: "FILE",
    help: "a module that exports the orchestrations; else those of duroxide.config",
  },
} as const;

export const replay: Verb = defineVerb({
  name: "replay",
  takes: "<files or folders…>",
  flags: FLAGS,
  details: `
Only orchestration code runs; every result comes from the history. Of --handlers, every exported orchestration is
taken, also from exported lists. Exit code 1 at a difference.`,
  examples: [
    ["replay histories/ --handlers dist/handlers.js", "in CI"],
    ["replay histories/order-42.json", "with the orchestrations of duroxide.config.ts"],
  ],
  run: replayFiles,
});

interface Outcome {
  readonly file: string;
  readonly fits: boolean;
  readonly difference?: string;
}

async function replayFiles(call: Call<typeof FLAGS>): Promise<ExitCode> {
  const { words, flags, terminal } = call;
  if (words.length === 0) throw usage("Which histories?", "duroxide history export writes them");
  const { codec, orchestrations: configured = [] } = await call.config();
  const handlers = flags.handlers;
  const orchestrations =
    handlers === undefined ? configured : await loadHandlers(path.resolve(terminal.folder, handlers));
  if (orchestrations.length === 0)
    throw usage("There are no orchestrations", "--handlers FILE, or orchestrations in duroxide.config.ts");
  const files = await filesOf(words, terminal.folder);
  const outcomes = await replayAll(
    files,
    { orchestrations, ...(codec !== undefined && { codec }) },
    terminal,
  );
  if (outcomes.length < files.length) return EXIT.interrupted;
  print(outcomes, call);
  return outcomes.every(({ fits }) => fits) ? EXIT.ok : EXIT.failed;
}

/** Fewer outcomes than files if it is interrupted. */
async function replayAll(
  files: readonly string[],
  options: ReplayOptions,
  terminal: Terminal,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  using progress = new Progress(terminal, files.length);
  for (const file of files) {
    if (terminal.interrupted.aborted) break;
    const history = withoutMark(await readFile(path.resolve(terminal.folder, file), "utf8"), file);
    const difference = await replayHistory(history, options).then(() => undefined, messageOf);
    outcomes.push({ file, fits: difference === undefined, ...(difference !== undefined && { difference }) });
    progress.show(outcomes.length);
  }
  return outcomes;
}

function print(outcomes: readonly Outcome[], { form, terminal }: Call<typeof FLAGS>): void {
  const differing = outcomes.filter(({ fits }) => !fits);
  if (form === "json") terminal.write(formatJson(outcomes));
  else if (form === "jsonl") for (const outcome of outcomes) terminal.write(formatJsonLine(outcome));
  else if (form === "ids") for (const { file } of differing) terminal.write(`${idLine(file)}\n`);
  else {
    terminal.write(`${count(outcomes.length - differing.length)} of ${count(outcomes.length)} fit.\n`);
    for (const { file, difference = "" } of differing) {
      const [first = "", ...rest] = difference.split("\n");
      terminal.write(`${terminal.style("red", safeText(`${file}: ${first}`))}\n`);
      for (const line of rest) terminal.write(`  ${safeText(line)}\n`);
    }
  }
}

/** The JSON files of folders, and the files themselves. */
async function filesOf(words: readonly string[], folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const word of words) {
    const found = await stat(path.resolve(folder, word)).catch(() => undefined);
    if (found === undefined) throw usage(`There is no file ${word}`);
    if (!found.isDirectory()) files.push(word);
    else {
      const names = await readdir(path.resolve(folder, word));
      files.push(
        ...names
          .filter((name) => name.endsWith(".json"))
          .sort()
          .map((name) => path.join(word, name)),
      );
    }
  }
  if (files.length === 0) throw usage("The folders hold no .json files");
  return files;
}

async function loadHandlers(file: string): Promise<readonly AnyOrchestration[]> {
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  return [...new Set(Object.values(module).flat())].filter(isOrchestration);
}

function isOrchestration(value: unknown): value is AnyOrchestration {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "orchestration";
}
