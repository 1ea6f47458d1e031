/** `npm run dev -- build` and `fix`: one program of node_modules each, with the flags that make sense here. */
import { existsSync } from "node:fs";
import path from "node:path";
import { CommandLine } from "./command-line.ts";
import { COMPILER, ROOT, runTool } from "./node-tool.ts";

interface Tool {
  /** Path of the program in node_modules. */
  readonly program: string;
  readonly args: readonly string[];
}

const TOOLS: Readonly<Record<string, (args: readonly string[]) => Tool>> = {
  build(args) {
    const flags = {
      clean: { type: "boolean" },
      force: { type: "boolean" },
      watch: { type: "boolean" },
    } as const;
    const { values } = CommandLine.read({ call: "npm run dev -- build", help: BUILD_HELP, flags }, args);
    const given = Object.entries(values).flatMap(([name, isOn]) => (isOn ? [`--${name}`] : []));
    return { program: COMPILER, args: ["-b", ...given] };
  },
  fix(args) {
    const line = CommandLine.read(
      { call: "npm run dev -- fix", help: FIX_HELP, flags: {}, takesWords: true },
      args,
    );
    const missing = line.words.find((word) => !existsSync(path.join(ROOT, word)));
    if (missing !== undefined) line.refuse(`there is no file or folder "${missing}"`);
    return { program: "@biomejs/biome/bin/biome", args: ["check", "--write", ...line.words] };
  },
};

const BUILD_HELP = ` [flags]

Compiles every package into its dist. Tests, examples and the other commands do not need it.

  --force   compile everything again
  --clean   remove what was compiled
  --watch   compile again after each change, until Ctrl-C
`;

const FIX_HELP = ` [files or folders]

Formats, sorts imports and applies the safe fixes of the linter: everywhere, or in these files and folders.
`;

const [name = "", ...args] = process.argv.slice(2);
const tool = TOOLS[name]?.(args);
if (tool === undefined)
  throw new Error(`scripts/tool.ts knows ${Object.keys(TOOLS).join(", ")}, not "${name}"`);

process.exitCode = await runTool(tool.program, ...tool.args);
