/** Walks through docs/tutorial.md: writes its programs, runs its commands, and compares what they print. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { read } from "../tidy/repository.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGE = read("docs/tutorial.md");

/** Folder inside the repository, where the packages are found by name. */
mkdirSync(path.join(ROOT, ".cache"), { recursive: true });
const folder = mkdtempSync(path.join(ROOT, ".cache", "tutorial-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BLOCK = /(?:<!-- ([\w.-]+) -->\n)?```(ts|sh|text)\n([\s\S]*?)```/g;
const BLOCKS = Array.from(PAGE.matchAll(BLOCK), ([, file, kind, body = ""]) => ({ file, kind, body }));

async function run(command: string): Promise<string> {
  const [program, ...args] = command.split(" ");
  expect(program).toBe("node");
  const flags = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, ...args], { cwd: folder });
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe("");
  return printed;
}

it("every command of the tutorial prints what the page shows", async () => {
  let printed: string | undefined;
  let compared = 0;
  for (const { file, kind, body } of BLOCKS) {
    if (kind === "ts") {
      expect(file, "a program without the name of its file").toBeDefined();
      writeFileSync(path.join(folder, file ?? ""), body);
    } else if (kind === "sh") {
      expect(printed, "a command whose output the page does not show").toBeUndefined();
      printed = await run(body.trim());
    } else {
      expect(printed).toBe(body);
      printed = undefined;
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(6);
});
