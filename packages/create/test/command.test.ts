import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Host, runCommand } from "../src/command.ts";
import { TEMPLATES, TEMPLATES_FOLDER } from "../src/templates.ts";

let folder: string;
let printed: string;
let npmCalls: (readonly [folder: string, args: readonly string[]])[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "duroxide-create-"));
  printed = "";
  npmCalls = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], host: Partial<Host> = {}): Promise<number> {
  const npm: Host["npm"] = (...call) => {
    npmCalls.push(call);
    return 0;
  };
  const print = (text: string): void => {
    printed += text;
  };
  return runCommand(args, { folder, print, ask: undefined, npm, ...host });
}

function manifest(project: string): { name: string; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(path.join(folder, project, "package.json"), "utf8"));
}

it.each(TEMPLATES)("writes a project of the template $name, and installs it", async ({ name }) => {
  expect(await run(["My Shop", "--template", name, "--packages", "1.2.3"])).toBe(0);
  const project = path.join(folder, "My Shop");
  expect(npmCalls).toEqual([[project, expect.arrayContaining(["install"])]]);
  expect(manifest("My Shop")).toMatchObject({
    name: "my-shop",
    dependencies: { "@duroxide-ts/core": "1.2.3" },
  });
  expect(readdirSync(project)).toEqual(
    expect.arrayContaining([".gitignore", "README.md", "crash.ts", "src", "test"]),
  );
  expect(readdirSync(project)).not.toContain("gitignore");
  expect(printed).toContain("npm run crash");
});

it("takes its own version of the packages without another", async () => {
  expect(await run(["shop", "-t", "script", "--no-install"])).toBe(0);
  const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, "../package.json"), "utf8"));
  expect(manifest("shop").dependencies).toEqual({
    "@duroxide-ts/core": version,
    "@duroxide-ts/sqlite": version,
  });
  expect(npmCalls).toEqual([]);
  expect(printed).toContain("npm install");
});

it("copies packed files into the project, which does not need their folder then", async () => {
  mkdirSync(path.join(folder, "packed"));
  const files = ["core", "sqlite", "http"].map((name) => `duroxide-ts-${name}-0.1.0.tgz`);
  for (const file of files) writeFileSync(path.join(folder, "packed", file), "");
  expect(await run(["shop", "-t", "script", "--packages", "packed"])).toBe(0);
  expect(manifest("shop").dependencies).toEqual({
    "@duroxide-ts/core": `file:packages/${files[0]}`,
    "@duroxide-ts/sqlite": `file:packages/${files[1]}`,
  });
  expect(readdirSync(path.join(folder, "shop/packages")).sort()).toEqual(files.slice(0, 2));
});

it("asks for the template where somebody can answer", async () => {
  expect(await run([], { ask: async () => "http\n" })).toBe(0);
  expect(readdirSync(folder)).toEqual(["durable-http"]);
});

it.each([
  { args: [], code: 2, text: "--template" },
  { args: ["-t", "web"], code: 2, text: "script, http, agent, fleet" },
  { args: ["--tempalte", "http"], code: 2, text: "--tempalte" },
  { args: ["a", "b", "-t", "http"], code: 2, text: "one folder" },
  { args: [".", "-t", "script", "--packages", "packed"], code: 1, text: "npm run pack" },
])("refuses $args and writes nothing", async ({ args, code, text }) => {
  mkdirSync(path.join(folder, "here/packed"), { recursive: true });
  const here = path.join(folder, "here");
  const target = args[0] === "." ? ["new", ...args.slice(1)] : args;
  expect(await run(target, { folder: here })).toBe(code);
  expect(printed).toContain(text);
  expect(readdirSync(here)).toEqual(["packed"]);
});

it("leaves a folder alone that is not empty", async () => {
  writeFileSync(path.join(folder, "mine.txt"), "");
  expect(await run([".", "-t", "script"])).toBe(1);
  expect(printed).toContain("not empty");
  expect(readdirSync(folder)).toEqual(["mine.txt"]);
});

it("says that npm install failed, and where", async () => {
  expect(await run(["shop", "-t", "script"], { npm: () => 7 })).toBe(7);
  expect(printed).toContain(path.join(folder, "shop"));
});

it("the template for Azure has the indexing policy of the set-up page", () => {
  const policy = readFileSync(path.join(TEMPLATES_FOLDER, "fleet/infra/indexing-policy.json"), "utf8");
  const page = path.join(import.meta.dirname, "../../../docs/cosmos/indexing-policy.json");
  expect(policy).toBe(readFileSync(page, "utf8"));
});

it("the role of the template for Azure has the actions of the set-up page", () => {
  const read = (file: string): string[] =>
    readFileSync(path.join(import.meta.dirname, "../../..", file), "utf8").match(
      /Microsoft\.DocumentDB\/databaseAccounts\/(?:readMetadata|sqlDatabases\/[\w/*]+)/g,
    ) ?? [];
  const actions = read("packages/create/templates/fleet/infra/main.bicep");
  expect(actions.length).toBe(4);
  expect(read("docs/cosmos/set-up.md")).toEqual(expect.arrayContaining(actions));
});
