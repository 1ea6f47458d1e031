/** The example of document leases, for real: three processes, a kill, and leases that have to expire (about ten seconds). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PROGRAM = "examples/negotiation/main.ts";
const PATIENCE_MS = 120_000;

it(
  "negotiations are worked on once in each state, although a process is killed",
  async () => {
    const example = spawn(process.execPath, ["--conditions=@duroxide-ts/source", PROGRAM], { cwd: ROOT });
    let output = "";
    const collect = (text: unknown): void => {
      output += String(text);
    };
    example.stdout.on("data", collect);
    example.stderr.on("data", collect);

    const [exitCode] = await once(example, "close");

    expect(exitCode, output).toBe(0);
    expect(output).not.toContain("✗");
    expect(output.match(/^ {3}✓ .*/gm), output).toHaveLength(5);
    expect(output).toContain("✓ 40 of 40 were worked on once in each of their states (110 steps).");
  },
  PATIENCE_MS,
);
