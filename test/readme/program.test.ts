/**
 * Does what README.md tells a newcomer: its commands pack the packages and install them in a folder outside the
 * repository, its program runs there, is killed while it waits, and continues.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentPages } from "../../scripts/agent-pages.ts";
import { IS_DEEP } from "../support/effort.ts";
import { listFolder, listPackages, read } from "../tidy/repository.ts";
import { run, start } from "./commands.ts";
import { BUILD_TOOLS, Consumer } from "./consumers.ts";
import { linksOf, readPacked, targetsOf } from "./packed.ts";
import { BUDGETS_KB } from "./sizes.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const README = read("README.md");

const PROGRAM = blockAfter("<!-- checkout.mts -->\n```ts\n");
/** Packages that are packed: all in a deep run, otherwise those that the first program and its projects need. */
const PACKAGES = IS_DEEP ? listPackages() : ["core", "sqlite", "create"];
const { version: VERSION } = JSON.parse(read("packages/create/package.json")) as { version: string };
const COMMANDS = blockAfter("```sh\nnpm install ", "npm install ").trim().split("\n");
/** The first command until the packages are published. */
const INSTALL = /`(npm install \.\.[^`]+)`/.exec(README)?.[1] ?? "";
const RUN = COMMANDS[1]?.replace(/ +#.*/, "") ?? "";
const OUTPUT = blockAfter("```text\n").trim().split("\n");

/** Program that prints where a mistake is, and the stored stack of an error. */
const WHERE = `import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
const act = activity("act", async () => {
  throw new Error("card declined");
});
const clock = orchestration("clock", { onDefect: "fail" }, async () => Date.now());
const lost = orchestration("lost", async (ctx) => {
  ctx.scheduleActivity(act);
});
const failing = orchestration("failing", async (ctx) => ctx.scheduleActivity(act));
const provider = await SqliteProvider.open(":memory:");
const warn = (fields: { event: string }, message: string) => {
  if (fields.event === "calls_never_awaited") console.log(message);
};
const logger = { ...silentLogger, warn };
const settings = { provider, activities: [act], orchestrations: [clock, lost, failing] };
const runtime = await Runtime.start({ ...settings, logger: logger as never, sourceLines: true });
const client = new Client(provider);
const failure = async (name: string) =>
  (await client.start(name, { instanceId: name })).result().catch((error: Error) => error);
console.log(String(await failure("clock")));
await failure("lost");
console.log("sources", (await client.admin.timeline("lost")).steps.map(({ source }) => source).join());
const failed = (await failure("failing")) as Error;
console.log("stack", ((failed.cause as Error).stack ?? "").replace(/^.*\\n(?! +at)/, ""));
await runtime.shutdown();
await provider.close();
`;

/** Program that prints how many files an import reads. */
const COUNT = `import { registerHooks } from "node:module";
let files = 0;
registerHooks({ load: (url, context, next) => next(url, (files++, context)) });
await import("@duroxide-ts/core");
await import("@duroxide-ts/sqlite");
console.log(files);
`;

/** The text of the block of code that begins with `opening`. */
function blockAfter(opening: string, kept = ""): string {
  const start = README.indexOf(opening);
  expect(start, `README.md has no block that begins with ${JSON.stringify(opening)}`).toBeGreaterThan(-1);
  const end = README.indexOf("```\n", start + opening.length);
  return kept + README.slice(start + opening.length, end);
}

/** Folder of the reader, in which a clone with packed packages lies beside the projects. */
const home = mkdtempSync(path.join(tmpdir(), "duroxide-readme-"));
const packed = path.join(home, "duroxide-ts/dist/packages");
/** File that the compiler has left of a source that has moved. */
const leftover = path.join(ROOT, "packages/core/dist/file-that-has-moved.js");

beforeAll(async () => {
  mkdirSync(path.dirname(leftover), { recursive: true });
  writeFileSync(leftover, "");
  await run(`node scripts/run.cjs pack --to ${JSON.stringify(packed)} ${PACKAGES.join(" ")}`, ROOT);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("the first program of README.md", () => {
  const project = path.join(home, "shop");

  beforeAll(async () => {
    mkdirSync(project);
    writeFileSync(path.join(project, "checkout.mts"), PROGRAM);
    await run(INSTALL, project);
  });

  it("is installed by published names, for which packed files stand until then", () => {
    const published = INSTALL.replaceAll(/\S+\/duroxide-ts-(\w+)-[\d.]+\.tgz/g, "@duroxide-ts/$1");
    expect(published).toBe(COMMANDS[0]);
    expect(COMMANDS.slice(1).map((command) => command.replace(/ +#.*/, ""))).toEqual([RUN, RUN]);
  });

  it("continues after a kill, and does not run a finished activity again", async () => {
    const killed = start(RUN, project);
    await Promise.race([storesTheTimer(path.join(project, "orders.db")), killed.ended]);
    killed.child.kill("SIGKILL");
    await killed.ended;
    const second = await run(RUN, project);

    expect([killed.child.signalCode, killed.lines]).toEqual(["SIGKILL", OUTPUT.slice(0, 1)]);
    expect(second.lines).toEqual(OUTPUT.slice(1));
  });

  it("packs manifests and READMEs that name only files of the package", () => {
    for (const name of PACKAGES) {
      const { manifest, readme, files } = readPacked(packed, name);
      const named = [...targetsOf(manifest), ...linksOf(readme)];
      expect(named.filter((file) => !files.includes(file))).toEqual([]);
      expect(manifest.keywords?.length).toBeGreaterThan(2);
      expect(manifest).toMatchObject({
        description: expect.any(String),
        engines: { node: expect.any(String) },
      });
    }
  });

  it("finds no file in a package that has no source any more", () => {
    const installed = path.join(project, "node_modules/@duroxide-ts/core/dist");
    expect(existsSync(path.join(installed, "index.js"))).toBe(true);
    expect(existsSync(path.join(installed, path.basename(leftover)))).toBe(false);
  });

  it("brings the pages for coding agents along", () => {
    const { files } = readPacked(packed, "core");
    for (const page of ["llms.txt", ...agentPages(ROOT)]) expect(files).toContain(page);
  });

  it("downloads no more than its budget", () => {
    for (const name of PACKAGES) {
      const kB = statSync(path.join(packed, `duroxide-ts-${name}-${VERSION}.tgz`)).size / 1_000;
      expect(kB, `${name} has ${kB} kB`).toBeLessThan(BUDGETS_KB[name] ?? 0);
    }
  });

  it("reads a few dozen files for core and sqlite, because their number is what an import costs", async () => {
    writeFileSync(path.join(project, "count.mjs"), COUNT);
    const { lines } = await run("node count.mjs", project);
    expect(Number(lines[0])).toBeLessThan(60);
  });

  it("says in one sentence that Node is too old", async () => {
    const old = "data:text/javascript,process.getBuiltinModule=undefined";
    const { child, lines, ended } = start(
      `node --import "${old}" -e "import('@duroxide-ts/sqlite')"`,
      project,
    );
    await ended;
    expect(child.exitCode).toBe(1);
    expect(lines.filter((line) => line.startsWith("Error: "))).toEqual([
      expect.stringMatching(/^Error: @duroxide-ts\/sqlite needs Node \^22\..*: install a newer Node$/),
    ]);
  });

  it.each(["", "--enable-source-maps "])("names lines of the program, run with: node %s", async (flag) => {
    writeFileSync(path.join(project, "where.mts"), WHERE);
    const { lines } = await run(`node ${flag}where.mts`, project);
    expect(lines.filter((line) => /^\s+at .*core[\\/](?:src|dist)/.test(line))).toEqual([]);
    expect(lines).toEqual([
      expect.stringMatching(/Date\.now\(\).*\(where\.mts:6:/),
      expect.stringMatching(/without awaiting.*\(where\.mts:8:/),
      expect.stringMatching(/^sources where\.mts:8:/),
      expect.stringMatching(/^stack Error: card declined/),
      expect.stringMatching(/^ +at .*where\.mts:4:/),
    ]);
  });

  it.each(IS_DEEP ? listFolder("packages/create/templates") : ["script"])(
    "npm create @duroxide-ts: a project of %s runs, passes its tests and survives its crash",
    async (name) => {
      const command = JSON.stringify(path.join(packed, `duroxide-ts-create-${VERSION}.tgz`));
      const flags = `${name} --template ${name} --packages ${JSON.stringify(packed)} --no-install`;
      await run(`npm exec --yes --package ${command} -- create-duroxide-ts ${flags}`, home);
      const created = path.join(home, name);
      // Only the deep run asks a registry: for the compiler, and for what other templates depend on.
      await run(IS_DEEP ? "npm install --offline=false" : "npm install --omit=dev", created);
      if (IS_DEEP) await run("npm run check", created);
      await run("npm test", created);
      if (name !== "http") await run("npm start", created);
      const { lines } = await run("npm run crash", created);
      expect(lines.filter((line) => line.includes("killed"))).toHaveLength(1);
    },
    240_000,
  );

  it("has the output that is shown", async () => {
    rmSync(path.join(project, "orders.db"), { force: true });
    const { lines } = await run(RUN, project);
    expect(lines).toEqual(OUTPUT);
  });
});

describe.runIf(IS_DEEP)(
  "every package, as projects install it from the registry",
  { timeout: 240_000 },
  () => {
    let consumer: Consumer;

    beforeAll(async () => {
      consumer = await Consumer.create(path.join(home, "consumer"), packed);
    }, 400_000);

    it("is without a finding of publint and of attw", async () => {
      for (const file of consumer.files.map((each) => JSON.stringify(path.join(packed, each)))) {
        await consumer.run(`npx --no-install publint run --strict ${file}`);
        // A command has no types.
        if (file.includes("-create-")) continue;
        await consumer.run(`npx --no-install attw --profile esm-only ${file}`);
      }
    });

    it.each(
      ["typescript-5", "typescript-6", "typescript-7"].flatMap((compiler) => [
        [compiler, "nodenext", "nodenext"] as const,
        [compiler, "esnext", "bundler"] as const,
      ]),
    )(
      "compiles with %s, module %s, and its declarations are correct",
      async (compiler, module, resolution) => {
        await consumer.compile(compiler, module, resolution);
      },
    );

    it.each(["program.mjs", "program.cjs"])("runs as %s", async (program) => {
      expect(await consumer.run(`node ${program}`)).toEqual(["42"]);
    });

    it("lints with ESLint 9", async () => {
      const lines = await consumer.run("npx --no-install eslint linted.mjs");
      expect(lines.filter((line) => line.includes("duroxide/no-clock"))).toHaveLength(1);
    });

    it.each(BUILD_TOOLS)("runs as a bundle of %s", async (tool) => {
      expect(await consumer.build(tool)).toEqual(["42"]);
    });
  },
);

describe.runIf(IS_DEEP)("the packed command line", () => {
  const folder = path.join(home, "command");

  beforeAll(async () => {
    mkdirSync(folder);
    // What it depends on comes from this repository, so that no registry is asked.
    const others = ["fast-string-truncated-width", "minisearch"].map((name) =>
      path.join(ROOT, "node_modules", name),
    );
    const files = ["core", "sqlite", "http", "cli"].map((name) =>
      path.join(packed, `duroxide-ts-${name}-${VERSION}.tgz`),
    );
    writeFileSync(path.join(folder, "package.json"), "{}");
    await run(
      `npm install --silent ${[...files, ...others].map((file) => JSON.stringify(file)).join(" ")}`,
      folder,
    );
  });

  it("helps", async () => {
    const { lines } = await run("npx --no-install duroxide --help", folder);
    expect(lines[0]).toBe("Usage: duroxide VERB [arguments] [flags]");
  });

  it("lists the instances of a file", async () => {
    const provider = await SqliteProvider.open(path.join(folder, "x.db"));
    await provider[Symbol.asyncDispose]();
    const { lines } = await run("npx --no-install duroxide list --store sqlite:x.db", folder);
    expect(lines).toEqual(["No instances match."]);
  });
});

/** Resolves when the result of the first activity, and the timer after it, are in the history. */
async function storesTheTimer(file: string): Promise<void> {
  while (!existsSync(file)) await sleep(20);
  for (;;) {
    if (await hasTimer(file)) return;
    await sleep(50);
  }
}

async function hasTimer(file: string): Promise<boolean> {
  try {
    await using provider = await SqliteProvider.open(file, { readOnly: true });
    const history = await new Client(provider).admin.history("order-42");
    return history.some((event) => event.type === "TimerCreated");
  } catch {
    return false; // the file, or the instance in it, does not exist yet
  }
}
