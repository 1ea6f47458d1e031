/**
 * The modules that a command loads decide how fast it starts. They are counted, because times differ between machines.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Desk } from "../support/desk.ts";

const HOOK = pathToFileURL(path.join(import.meta.dirname, "..", "support", "note-modules.ts")).href;

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open("sqlite");
});

afterAll(() => desk[Symbol.asyncDispose]());

it.each(["list", "count"])(
  "%s on SQLite loads neither the runtime nor what writes nor the SDK of Azure",
  async (verb) => {
    const loaded = await modulesOf([verb]);
    expect(loaded.filter((it) => /core\/src\/client\/client\.ts$/.test(it))).toHaveLength(1);
    expect(loaded.filter((it) => FOREIGN.test(it))).toEqual([]);
    expect(loaded.filter((it) => it.includes("/packages/")).length).toBeLessThan(295);
  },
);

it.each(["--help", "--version", "lsit"])(
  "duroxide %s loads nothing of the stores and of core",
  async (word) => {
    const loaded = await modulesOf([word]);
    expect(loaded.filter((it) => /packages\/(?!cli\/)/.test(it))).toEqual([]);
    expect(loaded.filter((it) => it.includes("/packages/cli/")).length).toBeLessThan(25);
  },
);

const FOREIGN = new RegExp(
  [
    "node_modules/@azure",
    "packages/(cosmos|dashboard|provider-tests)/",
    "core/src/(index|runtime/|guard/(?!client-calls|observer-calls|open-turns|rejections)|testing/|offload/|codecs/|replay/(turn|code|context|history))",
    "sqlite/src/(provider|turn/|operations/(ack|fetch|enqueue))",
  ].join("|"),
);

async function modulesOf(words: readonly string[]): Promise<readonly string[]> {
  const file = path.join(desk.folder, `modules-of-${words[0]}`);
  await desk.process(words, { env: { NODE_OPTIONS: `--import=${HOOK}`, NOTE_MODULES: file } });
  return readFileSync(file, "utf8").split("\n");
}
