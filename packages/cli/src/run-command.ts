/** Runs the words of a command line and returns an exit code. */
import { nearest } from "./command/nearest.ts";
import { parse } from "./command/parse.ts";
import type { Verb, VerbEntry } from "./command/verb.ts";
import { EXIT, type ExitCode, usage } from "./errors/exit-code.ts";
import { report } from "./errors/report-error.ts";
import { overview, verbHelp } from "./help.ts";
import type { Host } from "./host.ts";
import { VERBS } from "./verb-table.ts";
import { packageVersion } from "./version.ts";

export async function runCommand(args: readonly string[], host: Host): Promise<ExitCode> {
  try {
    return await run(args, host);
  } catch (error) {
    return report(error, host.note);
  }
}

async function run(args: readonly string[], host: Host): Promise<ExitCode> {
  const [first, second] = args;
  if (first === undefined || first === "help" || first === "--help" || first === "-h") {
    const entry = first === "help" && second !== undefined ? find(args.slice(1)) : undefined;
    host.write(entry === undefined ? overview() : verbHelp(await entry.entry.load()));
    return first === undefined ? EXIT.usage : EXIT.ok;
  }
  if (first === "--version" || first === "-v" || first === "version") {
    host.write(`${packageVersion()}\n`);
    return EXIT.ok;
  }
  const { name, entry, rest } = find(args);
  const verb = await entry.load();
  const parsed = parse(name, verb.flags, rest);
  if (parsed.values["help"] === true) {
    host.write(verbHelp(verb));
    return EXIT.ok;
  }
  const [word] = parsed.words;
  // An answer about everything would look like one about the word.
  if (verb.takes === "" && word !== undefined)
    throw usage(`duroxide ${name} takes flags only; got "${word}"`, `duroxide ${name} --help lists them`);
  return call(verb, parsed, host);
}

interface Found {
  readonly name: string;
  readonly entry: VerbEntry;
  readonly rest: readonly string[];
}

function find(args: readonly string[]): Found {
  const [first = "", second] = args;
  const pair = `${first} ${second}`;
  if (second !== undefined && VERBS[pair] !== undefined) {
    return { name: pair, entry: VERBS[pair], rest: args.slice(2) };
  }
  const entry = Object.hasOwn(VERBS, first) ? VERBS[first] : undefined;
  if (entry !== undefined) return { name: first, entry, rest: args.slice(1) };
  if (first.startsWith("-"))
    throw usage(`Flags follow the verb: duroxide list ${first}`, "duroxide --help lists the verbs");
  const under = Object.keys(VERBS).filter((name) => name.startsWith(`${first} `));
  if (under.length > 0) throw usage(`duroxide ${first} is one of: ${under.join(", ")}`);
  const near = nearest(first, Object.keys(VERBS));
  const suggestion = near === undefined ? "" : `; did you mean ${near}?`;
  throw usage(`There is no verb "${first}"${suggestion}`, "duroxide --help lists the verbs");
}

async function call(verb: Verb, parsed: ReturnType<typeof parse>, host: Host): Promise<ExitCode> {
  const { startCall } = await import("./start-call.ts");
  const terminal = await host.terminal({ plain: parsed.values["no-color"] === true });
  await using started = startCall(VERBS, parsed, terminal);
  const exitCode = await verb.run(started.call);
  terminal.note(await started.cost());
  return exitCode ?? (terminal.interrupted.aborted ? EXIT.interrupted : EXIT.ok);
}
