/**
 * Runs the built packages on the oldest Node that they promise (`engines`): every entry of every package loads,
 * and one orchestration runs to its end on SQLite. The repository's other scripts and tests need a newer Node,
 * so this file is plain JavaScript and is started by CI directly, after a build.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

/** Entries that export types, and nothing at run time. */
const TYPES_ONLY = new Set(["@duroxide-ts/cli"]);

/** Exports of each entry, by its specifier. */
const loaded = {};
const packagesFolder = new URL("../packages/", import.meta.url);

for (const folder of readdirSync(packagesFolder)) {
  const manifest = JSON.parse(readFileSync(new URL(`${folder}/package.json`, packagesFolder), "utf8"));
  for (const [entry, target] of Object.entries(manifest.exports)) {
    // What is not built is for the sources of this repository.
    if (entry.endsWith(".json") || target.default === undefined) continue;
    const specifier = `${manifest.name}${entry.slice(1)}`;
    loaded[specifier] = await import(specifier);
    const exported = Object.keys(loaded[specifier]).length;
    assert.equal(exported === 0, TYPES_ONLY.has(specifier), `${specifier} has ${exported} exports`);
    console.log(`${specifier} loads: ${exported} exports`);
  }
}

const { activity, Client, orchestration, Runtime } = loaded["@duroxide-ts/core"];
const { SqliteProvider } = loaded["@duroxide-ts/sqlite"];

const greet = activity("greet", async (_context, name) => `Hello, ${name}!`);
const hello = orchestration("hello", async (context, name) => context.scheduleActivity(greet, name));

const provider = await SqliteProvider.open(":memory:");
const runtime = await Runtime.start({ provider, activities: [greet], orchestrations: [hello] });
const handle = await new Client(provider).start(hello, { instanceId: "smoke", input: "floor" });
assert.equal(await handle.result({ timeout: 10_000 }), "Hello, floor!");
await runtime.shutdown({ graceMs: 0 });
await provider[Symbol.asyncDispose]();
console.log(`One orchestration ran to its end on Node ${process.versions.node}.`);
