/** Behaviour that all verbs share: help, mistakes, the naming of stores, secrets. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import { WATCH } from "../../src/command/flags.ts";
import { parse } from "../../src/command/parse.ts";
import { verbHelp } from "../../src/help.ts";
import { FILTER_FLAGS } from "../../src/instances/filter-flags.ts";
import { VERBS } from "../../src/verb-table.ts";
import { runHere } from "../support/run-here.ts";
import { runProcess } from "../support/run-process.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "duroxide-cli-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cli = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  (IS_DEEP ? runProcess : runHere)(words, { folder, env });

describe("every verb", () => {
  it.each(Object.entries(VERBS))("%s explains itself, with two examples", async (name, { load }) => {
    const verb = await load();
    expect(verb.name).toBe(name);
    expect(verb.examples.length).toBeGreaterThanOrEqual(2);
    expect(verbHelp(verb)).toContain(`Usage: duroxide ${name}`);
  });

  it("is a file of its own that the folder has no other of", async () => {
    const files = await readdir(path.join(import.meta.dirname, "..", "..", "src", "verbs"));
    expect(files).toHaveLength(Object.keys(VERBS).length);
  });
});

describe("the command", () => {
  it("lists its verbs and flags", async () => {
    const { code, stdout } = await cli(["--help"]);
    expect(code).toBe(0);
    for (const name of Object.keys(VERBS)) expect(stdout).toContain(`  ${name} `);
  });

  it("without a verb is a mistake, and lists them too", async () => {
    expect(await cli([])).toMatchObject({ code: 2, stdout: expect.stringContaining("Usage: duroxide VERB") });
  });

  it.each([
    [["lst"], "did you mean list?"],
    [["--store", "sqlite:x.db", "list"], "Flags follow the verb: duroxide list --store"],
    [["list", "checkout"], 'duroxide list takes flags only; got "checkout"'],
    [["count", ""], "duroxide count takes flags only"],
    [["list", "--limt", "3"], "There is no flag --limt; did you mean --limit?"],
    [["list", "--toString=x"], "There is no flag --toString"],
    [["list", "--constructor"], "There is no flag --constructor"],
    [["list", "--since", "2026-02-30"], "--since is a time span"],
    [["list", "--limit", "many"], "--limit is a whole number of 1 or more"],
    [["list", "--since", "1 hour"], "--since is a time span such as 90s, 2h or 1d, or an instant such as"],
    [["list", "--until", "2026-13-01"], "--until is a time span"],
    [["show", "-dash"], "an id that begins with a dash stands behind --: duroxide show -- -dash"],
    [["list", "--roots=yes"], "--roots takes no value"],
    [["list", "--name"], "--name needs a value: --name NAME"],
    [["list", "-o", "xml"], "--output is one of table, json, jsonl, ids"],
    [["suspend", "i", "--reason", "--dry-run"], "--reason needs a value before --dry-run"],
    [["list", "--name", "--status", "failed"], "--name needs a value before --status"],
    [["list", "--limit", "--watch"], "--limit needs a value before --watch"],
    [["suspend", "--prefix", "a", "--prefix", "b", "--reason", "r"], "--prefix stands there twice"],
    [["list", "--since", "1h", "--since=2h"], "--since stands there twice"],
  ])("%j is a mistake with an answer", async (words, answer) => {
    const { code, stdout, stderr } = await cli(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.replace("-o is", "--output is")).toContain(answer);
  });

  it("takes what stands behind -- as it is, and a value that begins with a dash behind =", async () => {
    expect(parse("list", FILTER_FLAGS, ["--name", "-1"]).values["name"]).toEqual(["-1"]);
    expect(parse("list", WATCH, ["--", "--watch"]).words).toEqual(["--watch"]);
    expect(parse("list", FILTER_FLAGS, ["--name=--status", "-o", "json", "-o", "ids"]).values).toMatchObject({
      name: ["--status"],
      output: "ids",
    });
  });

  it("prints its version", async () => {
    expect((await cli(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("is a process with an exit code, an output and an error output", async () => {
    const version = await runProcess(["--version"], { folder });
    expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^\d/), stderr: "" });
    const wrong = await runProcess(["list"], { folder });
    expect(wrong).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining("No store is named") });
  });
});

describe("a store", () => {
  it("has to be named", async () => {
    const { code, stderr } = await cli(["list"]);
    expect(code).toBe(2);
    expect(stderr).toContain("No store is named");
  });

  it.each([
    "orders.db",
    "postgres:x",
    "cosmos:orders",
    "cosmos:https://key@account.documents.azure.com/d/c",
    "cosmos:https://account.documents.azure.com/d/c?key=s3cret",
  ])("named %s is a mistake, and no secret is repeated", async (name) => {
    const { code, stderr } = await cli(["list", "--store", name]);
    expect(code).toBe(2);
    expect(stderr).not.toContain("s3cret");
  });

  it("that does not exist is not created, and ends with 3", async () => {
    const { code, stderr } = await cli(["list", "--store", "sqlite:none.db"]);
    expect(code).toBe(3);
    expect(stderr).toContain("none.db does not exist");
    expect(await cli(["start", "a", "--store", "sqlite:none.db"])).toMatchObject({ code: 3 });
    expect(await readdir(folder)).not.toContain("none.db");
  });

  it("that is no database ends with 3", async () => {
    await writeFile(
      path.join(folder, "text.db"),
      "no database, but long enough to look like one".repeat(100),
    );
    expect(await cli(["list", "--store", "sqlite:text.db"])).toMatchObject({ code: 3 });
  });

  it("comes from duroxide.config.ts if nothing else names one", async () => {
    await writeFile(
      path.join(folder, "duroxide.config.ts"),
      'export const provider: string = "sqlite:of-config.db";\n',
    );
    expect((await cli(["list"])).stderr).toContain("of-config.db does not exist");
    expect((await cli(["list"], { DUROXIDE_STORE: "sqlite:of-env.db\n" })).stderr).toContain(
      "of-env.db does",
    );
    await writeFile(path.join(folder, "broken.config.js"), "throw new Error('broken')");
    const broken = await cli(["list", "--config", "broken.config.js"]);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain("broken");
    await rm(path.join(folder, "duroxide.config.ts"));
  });

  it.each([
    ["named export", 'export const provider = "sqlite:x.db";\nexport const redakt = () => "•";\n'],
    ["part of the default export", 'export default { provider: "sqlite:x.db", redakt: () => "•" };\n'],
  ])("is not read of a configuration with a misspelt %s", async (_, text) => {
    await writeFile(path.join(folder, "misspelt.config.js"), text);
    const { code, stderr } = await cli(["list", "--config", "misspelt.config.js"]);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "redact"?');
  });

  it.each([
    [
      "a default export",
      'export const provider = "sqlite:of-both.db";\nexport default { redact: () => "•" };\n',
    ],
    ["CommonJS", 'module.exports = { provider: "sqlite:of-both.db" };\n'],
  ])("comes from a named export beside %s too", async (_, text) => {
    const file = text.startsWith("module") ? "both.config.cjs" : "both.config.mjs";
    await writeFile(path.join(folder, file), text);
    expect((await cli(["list", "--config", file])).stderr).toContain("of-both.db does not exist");
  });

  it("in a configuration of another folder is beside that configuration", async () => {
    await mkdir(path.join(folder, "sub"));
    await writeFile(path.join(folder, "above.config.js"), 'export const provider = "sqlite:above.db";\n');
    const run = IS_DEEP ? runProcess : runHere;
    const { stderr } = await run(["list", "--config", "../above.config.js"], {
      folder: path.join(folder, "sub"),
    });
    expect(stderr).toContain(`${path.join(folder, "above.db")} does not exist`);
  });
});

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("of %s names verbs, flags and choices", async (shell) => {
    const { code, stdout } = await cli(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["dead-letters", "requeue", "older-than", "created-asc"])
      expect(stdout).toContain(word);
  });

  it("of another shell is a mistake", async () => {
    expect(await cli(["completion", "cmd"])).toMatchObject({ code: 2 });
  });
});
