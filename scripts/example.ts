/** `npm run example`: runs a program of the folder examples from the sources of the packages. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { CommandLine } from "./command-line.ts";
import { ROOT } from "./node-tool.ts";

const line = CommandLine.read({
  call: "npm run example",
  help: ` [NAME]

Runs a program of the folder examples: checkout (the default, and the first program of README.md), hello,
agent, negotiation, observability, cpu-work, guide/02-activities and the other programs of the guide.
`,
  flags: {},
  takesWords: true,
});

const [name = "checkout"] = line.words;
const found = [`${name}.ts`, `${name}/main.ts`]
  .map((it) => path.join(ROOT, "examples", it))
  .find((it) => existsSync(it));
const file = found ?? line.refuse(`there is no example "${name}"`);
await import(pathToFileURL(file).href);
