/**
 * A rejection of orchestration code that is awaited late, or never, ends no process; any other rejection does what it
 * always does. Shown with processes, for only those end (docs/decisions/orchestration-code.md).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sample } from "../support/effort.ts";

/** Older versions of Node cannot run the sources as they are: there the children run the packages as built. */
const PACKAGES =
  Number(process.versions.node.split(".")[0]) >= 24
    ? ["--conditions=@duroxide-ts/source"]
    : ["--experimental-strip-types"];

const PROGRAM = fileURLToPath(new URL("./programs/late-rejections.ts", import.meta.url));

interface Run {
  readonly liveExecutions?: number;
  /** Behaviour of the process besides the runtime: a foreign rejection, after a listener was added or not. */
  readonly mode?: "quiet" | "foreign" | "listening";
  readonly nodeOptions?: readonly string[];
}

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

async function run({ liveExecutions = 1_000, mode = "quiet", nodeOptions = [] }: Run): Promise<Ended> {
  const folder = mkdtempSync(path.join(tmpdir(), "late-rejections-"));
  try {
    const child = spawn(
      process.execPath,
      [
        ...PACKAGES,
        "--disable-warning=ExperimentalWarning",
        ...nodeOptions,
        PROGRAM,
        path.join(folder, "test.db"),
        String(liveExecutions),
        mode,
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const exited = once(child, "exit");
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await exited) as [number | null];
    return { code, lines: output.trim().split("\n"), errors };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const OUTCOMES = ["order: compensated: card declined", "careless: done", "bystander: unharmed"];

/** One for the rejection that is never awaited, with the line of the orchestration's code. */
const WARNING =
  /^warn: careless: the orchestration ended without awaiting a promise that was rejected with ActivityFailedError: card declined \(.*programs\/late-rejections\.ts:\d+:\d+\)$/;

function expectOutcomes({ lines }: Ended): void {
  expect(lines).toEqual(expect.arrayContaining(OUTCOMES));
  expect(lines.filter((line) => line.includes("awaiting"))).toEqual([expect.stringMatching(WARNING)]);
}

describe("a rejection that orchestration code awaits late or never", () => {
  const modes = ["throw", "strict", "warn", "none", "warn-with-error-code"];

  it.each([1_000, 0])("ends no process (%i executions in memory)", async (liveExecutions) => {
    const ended = await run({ liveExecutions });
    expect(ended.code, ended.errors).toBe(0);
    expect(ended.errors).toBe("");
    expectOutcomes(ended);
  });

  it.each(sample(modes))("ends no process that Node runs in the mode %s", async (mode) => {
    const ended = await run({ nodeOptions: [`--unhandled-rejections=${mode}`] });
    expect(ended.code, ended.errors).toBe(0);
    expectOutcomes(ended);
  });
});

describe("a rejection of other code while a runtime runs", () => {
  it("ends the process, with Node's own code and message", async () => {
    const ended = await run({ mode: "foreign" });
    expect(ended.code).toBe(1);
    expect(ended.errors).toMatch(/Error: foreign\n {4}at .*programs\/late-rejections\.ts/);
    expect(ended.lines).not.toContain("alive after the foreign rejection");
    expect(ended.lines).toEqual(expect.arrayContaining(OUTCOMES));
  });

  it.each([
    { mode: "strict", code: 1, alive: false },
    { mode: "warn", code: 0, alive: true },
    { mode: "none", code: 0, alive: true },
    { mode: "warn-with-error-code", code: 1, alive: true },
  ])("does what Node does in the mode $mode", async ({ mode, code, alive }) => {
    const ended = await run({ mode: "foreign", nodeOptions: [`--unhandled-rejections=${mode}`] });
    expect(ended.code).toBe(code);
    expect(ended.lines.includes("alive after the foreign rejection")).toBe(alive);
    expect(ended.errors.includes("foreign")).toBe(mode !== "none");
  });

  it("is all that a listener of the process gets", async () => {
    const ended = await run({ mode: "listening" });
    expect(ended.code, ended.errors).toBe(0);
    expect(ended.lines.filter((line) => line.startsWith("listener"))).toEqual(["listener: foreign"]);
    expect(ended.lines).toContain("alive after the foreign rejection");
    expectOutcomes(ended);
  });
});
