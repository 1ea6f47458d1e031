/** `npm run dev -- compact <file> [--rewrite]`: a database file gives back the room of what was deleted from it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ProviderError } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { CommandLine } from "./command-line.ts";

const COULD_NOT = 1;

const line = CommandLine.read({
  call: "npm run dev -- compact",
  help: ` <file> [--rewrite]

Gives the room of what was deleted from a database file of @duroxide-ts/sqlite back to the file system. Other
processes may go on working with the file: it happens in steps of some milliseconds.

  --rewrite   for a file of an older version, which cannot shrink in steps: writes it anew, once. Stop its
              processes first; they cannot write meanwhile. It needs as much free disk space as the data.

Exit codes: 0 done, 1 it could not be done, 2 a mistake on the command line.
`,
  flags: { rewrite: { type: "boolean" } },
  takesWords: true,
});

async function compact(file: string): Promise<string> {
  // npm runs scripts in the folder of the package; the path is meant from where the user stands.
  const path = resolve(process.env["INIT_CWD"] ?? process.cwd(), file);
  if (!existsSync(path))
    throw new ProviderError({ code: "cannot-open", operation: "open", message: `${path} does not exist` });
  await using provider = await SqliteProvider.open(path);
  const { bytesBefore, bytesAfter } = await provider.compact({ rewrite: line.values.rewrite });
  return `${path}: ${bytesBefore} bytes before, ${bytesAfter} after\n`;
}

const [file, ...more] = line.words;
if (file === undefined || more.length > 0) throw line.refuse("name one file");
try {
  process.stdout.write(await compact(file));
} catch (error) {
  if (!ProviderError.is(error)) throw error;
  const hint =
    error.operation === "compact" && error.code === "invalid-input"
      ? " (npm run dev -- compact <file> --rewrite)"
      : "";
  process.stderr.write(`${error.detail}${hint}\n`);
  process.exitCode = COULD_NOT;
}
