/** The example of activities that compute runs, and ends the thread of the one whose result is no longer needed. */
import { expect, it } from "vitest";
import { inThread } from "../../examples/cpu-work/in-thread.ts";
import { runProgram } from "../support/run-program.ts";

const PROGRAM = "examples/cpu-work/main.ts";

it("the example of computing activities counts, and gives up an endless count", async () => {
  const { exitCode, output } = await runProgram([PROGRAM]);

  expect(exitCode, output).toBe(0);
  expect(output).toContain("primes below 400000: 33860\n");
  expect(output).toContain("the endless count: given up\n");
  expect(output).toContain("the endless count: its thread has ended\n");
});

/** A thread that runs this text. */
const program = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

it("a thread that throws, or ends without a result, is an error of its caller", async () => {
  const { signal } = new AbortController();
  await expect(inThread(program("throw new Error('no')"), null, signal)).rejects.toThrow("no");
  await expect(inThread(program("process.exit(3)"), null, signal)).rejects.toThrow("ended with code 3");
});

it("a thread that computes without an end is ended by the signal", async () => {
  const stop = new AbortController();
  const endless = inThread(program("for (;;);"), null, stop.signal);
  stop.abort();
  await expect(endless).rejects.toMatchObject({ name: "AbortError" });
  await expect(inThread(program("for (;;);"), null, stop.signal)).rejects.toBe(stop.signal.reason);
});
