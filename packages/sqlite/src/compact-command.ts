/** `npm run compact -- <file> [--rewrite]`: a database file gives back the room of what was deleted from it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ProviderError } from "@duroxide-ts/core";
import { SqliteProvider } from "./provider.ts";

const HELP = `npm run compact -- <file> [--rewrite]

Gives the room of what was deleted from a database file of @duroxide-ts/sqlite back to the file system. Other
processes may go on working with the file: it happens in steps of some milliseconds.

  --rewrite   for a file of an older version, which cannot shrink in steps: writes it anew, once. Stop its
              processes first; they cannot write meanwhile. It needs as much free disk space as the data.
  --help      this text

Exit codes: 0 done, 1 it could not be done, 2 a mistake on the command line.
`;

const COULD_NOT = 1;
const MISTAKE = 2;

interface Command {
  readonly file: string;
  readonly rewrite: boolean;
}

/** What to do; a text where there is nothing to do but to print it. */
function parse(args: readonly string[]): Command | string {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { rewrite: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
  });
  if (values.help) return HELP;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Error("name one file");
  return { file, rewrite: values.rewrite };
}

async function compact({ file, rewrite }: Command): Promise<string> {
  // npm runs scripts in the folder of the package; the path is meant from where the user stands.
  const path = resolve(process.env.INIT_CWD ?? process.cwd(), file);
  if (!existsSync(path))
    throw new ProviderError({ code: "cannot-open", operation: "open", message: `${path} does not exist` });
  await using provider = await SqliteProvider.open(path);
  const { bytesBefore, bytesAfter } = await provider.compact({ rewrite });
  return `${path}: ${bytesBefore} bytes before, ${bytesAfter} after\n`;
}

let command: Command | string;
try {
  command = parse(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  process.exit(MISTAKE);
}
try {
  process.stdout.write(typeof command === "string" ? command : await compact(command));
} catch (error) {
  if (!ProviderError.is(error)) throw error;
  const hint =
    error.operation === "compact" && error.code === "invalid-input"
      ? " (npm run compact -- <file> --rewrite)"
      : "";
  process.stderr.write(`${error.detail}${hint}\n`);
  process.exitCode = COULD_NOT;
}
