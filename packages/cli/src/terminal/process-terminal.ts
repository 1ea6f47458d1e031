/** The terminal of this process. */

import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { styleText } from "node:util";
import type { Clock } from "@duroxide-ts/core";
import type { Terminal } from "./terminal.ts";

export function processTerminal(clock: Clock, colours: boolean): Terminal {
  const { stdin, stdout, stderr } = process;
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  process.once("SIGTERM", () => interrupt.abort());
  return {
    clock,
    environment: process.env,
    folder: process.cwd(),
    columns: stdout.isTTY ? stdout.columns : undefined,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    interrupted: interrupt.signal,
    write: (output) => void stdout.write(output),
    note: (output) => void stderr.write(output),
    style: (style, output) => (colours ? styleText(style, output, { stream: stdout }) : output),
    lines: () => createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY }),
    input: () => text(stdin),
  };
}
