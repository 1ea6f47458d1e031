/** `--watch`: prints a view again and again until Ctrl-C. */
import { sleep } from "@duroxide-ts/core/client";
import { EXIT, type ExitCode } from "../errors/exit-code.ts";
import type { Terminal } from "./terminal.ts";

const CLEAR = "\u001b[H\u001b[2J\u001b[3J";

/** Prints once without a number of seconds. */
export async function watched(
  terminal: Terminal,
  everyS: number | undefined,
  print: () => Promise<void>,
): Promise<ExitCode> {
  const { interrupted, clock, columns } = terminal;
  if (everyS === undefined) {
    await print();
    return EXIT.ok;
  }
  while (!interrupted.aborted) {
    // A file or a pipe gets one view after the other.
    if (columns !== undefined) terminal.write(CLEAR);
    await print();
    await sleep(clock, everyS * 1_000, interrupted);
  }
  return EXIT.interrupted;
}
