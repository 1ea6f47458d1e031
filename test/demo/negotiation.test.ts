/** The example of document leases, for real: three processes, a kill, and leases that have to expire (about ten seconds). */
import { expect, it } from "vitest";
import { runProgram } from "../support/run-program.ts";

const PROGRAM = "examples/negotiation/main.ts";
const PATIENCE_MS = 900_000;

it(
  "negotiations are worked on once in each state, although a process is killed",
  async () => {
    const { exitCode, output } = await runProgram([PROGRAM]);

    expect(exitCode, output).toBe(0);
    expect(output).not.toContain("✗");
    expect(output.match(/^ {3}✓ .*/gm), output).toHaveLength(5);
    expect(output).toContain("✓ 40 of 40 were worked on once in each of their states (110 steps).");
  },
  PATIENCE_MS,
);
