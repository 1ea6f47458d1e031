/** A project that installs every packed package, and the tools with which people check and build theirs. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "./commands.ts";
import { type Manifest, readPacked } from "./packed.ts";

/** Tools in exact versions, so that a release of theirs does not fail a run. */
const TOOLS: readonly string[] = [
  "publint@0.3.25",
  "@arethetypeswrong/cli@0.18.5",
  "typescript-5@npm:typescript@5.9.3",
  "typescript-6@npm:typescript@6.0.3",
  "typescript-7@npm:typescript@7.0.2",
  "@types/node@24",
  "esbuild@0.28.2",
  "rolldown@1.2.19",
  "webpack@5.113.0",
  "eslint@9",
  "ai@7",
  "zod@4",
  "vitest@5",
];

/** A program of the kind that people build; it prints 42. */
const PROGRAM = `import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
const double = activity("double", async (ctx, n) => n * 2);
const program = orchestration("program", async (ctx, n) => ctx.scheduleActivity(double, n));
async function main() {
  const provider = await SqliteProvider.open(":memory:");
  const runtime = await Runtime.start({ provider, orchestrations: [program], activities: [double] });
  console.log(await (await new Client(provider).start(program, { instanceId: "1", input: 21 })).result());
  await runtime.shutdown();
  await provider.close();
}
main();
`;

/** The same in CommonJS. */
const COMMON_JS = PROGRAM.replaceAll(/import (\{.*\}) from (".*");/g, "const $1 = require($2);");

/** Types that depend on several files of the packages. */
const TYPES = `import { activity, orchestration } from "@duroxide-ts/core";
const state = activity("state", async (ctx, id: string) => (await ctx.client.handle("x", id).status()).status);
export const watch = orchestration("watch", async (ctx, id: string) => {
  const text: string = await ctx.scheduleActivity(state, id);
  return text.length;
});
`;

const BUILDS: Readonly<Record<string, string>> = {
  esbuild:
    "npx --no-install esbuild program.mjs --bundle --platform=node --format=esm --outfile=out/esbuild.mjs",
  rolldown: "npx --no-install rolldown program.mjs --platform node --dir out --entry-file-names rolldown.mjs",
  webpack: "node build.cjs",
};

const WEBPACK = `const { webpack } = require("webpack");
const output = { path: __dirname + "/out", filename: "webpack.mjs", chunkFormat: "module", module: true };
const options = { mode: "production", target: "node22", entry: "./program.mjs", experiments: { outputModule: true }, output };
webpack(options, (error, stats) => {
  if (error ?? stats.hasErrors()) throw error ?? new Error(stats.toString());
});
`;

/** A mistake, and a config that warns of it, so that the command succeeds. */
const LINTED = `import { orchestration } from "@duroxide-ts/core";
export const late = orchestration("late", async (ctx) => Date.now());
`;
const LINT_CONFIG = `import duroxide from "@duroxide-ts/eslint-plugin";
export default [{ ...duroxide.configs.recommended, rules: { "duroxide/no-clock": "warn" } }];
`;

export class Consumer {
  readonly #folder: string;
  readonly #packed: string;

  private constructor(folder: string, packed: string) {
    this.#folder = folder;
    this.#packed = packed;
  }

  /** Installs what lies in the folder `packed`, and the tools, from the registry. */
  static async create(folder: string, packed: string): Promise<Consumer> {
    mkdirSync(folder);
    const consumer = new Consumer(folder, packed);
    consumer.#write("package.json", '{ "private": true, "type": "module" }');
    consumer.#write("program.mjs", PROGRAM);
    consumer.#write("program.cjs", COMMON_JS);
    consumer.#write("build.cjs", WEBPACK);
    consumer.#write("linted.mjs", LINTED);
    consumer.#write("eslint.config.mjs", LINT_CONFIG);
    const files = consumer.files.map((file) => path.join(packed, file));
    const all = [...files, ...TOOLS].map((each) => JSON.stringify(each)).join(" ");
    await consumer.run(`npm install --offline=false --ignore-scripts --no-audit --no-fund ${all}`);
    await consumer.run("node node_modules/esbuild/install.js");
    return consumer;
  }

  get files(): readonly string[] {
    return readdirSync(this.#packed).filter((file) => file.endsWith(".tgz"));
  }

  /** Runs a command in the project and returns its lines; it must succeed. */
  async run(command: string): Promise<readonly string[]> {
    return (await run(command, this.#folder)).lines;
  }

  /** Compiles imports of every entry, with the declarations of the packages checked too. */
  async compile(compiler: string, module: string, resolution: string): Promise<void> {
    const entries = this.files.flatMap((file) => {
      const name = /^duroxide-ts-(.*)-\d+\.\d+\.\d+\.tgz$/.exec(file)?.[1] ?? "";
      return entriesOf(`@duroxide-ts/${name}`, readPacked(this.#packed, name).manifest);
    });
    const imports = entries.map((entry, index) => `import * as entry${index} from "${entry}";\n`).join("");
    const uses = entries.map((_, index) => `entry${index}`).join(", ");
    this.#write("types.mts", `${imports}export const entries = [${uses}];\n${TYPES}`);
    const flags =
      "--noEmit --strict --skipLibCheck false --target es2022 --lib es2022,dom,esnext.disposable --types node";
    await this.run(
      `node node_modules/${compiler}/bin/tsc ${flags} --module ${module} --moduleResolution ${resolution} types.mts`,
    );
  }

  async build(tool: string): Promise<readonly string[]> {
    await this.run(BUILDS[tool] ?? "");
    return this.run(`node out/${tool}.mjs`);
  }

  #write(file: string, text: string): void {
    writeFileSync(path.join(this.#folder, file), text);
  }
}

export const BUILD_TOOLS: readonly string[] = Object.keys(BUILDS);

function entriesOf(name: string, { exports }: Manifest): string[] {
  return Object.entries(exports)
    .filter(([, targets]) => typeof targets === "object" && "types" in targets)
    .map(([entry]) => `${name}${entry.slice(1)}`);
}
