/** The question before a change, on a terminal whose keys are Ctrl-C, Ctrl-D and the answer. */
import { PassThrough } from "node:stream";
import { silentLogger, systemClock } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { confirm } from "../../src/terminal/confirm.ts";
import type { Terminal } from "../../src/terminal/terminal.ts";

const TERMINAL: Terminal = {
  clock: systemClock,
  logger: silentLogger,
  environment: {},
  folder: ".",
  columns: 80,
  canAsk: true,
  interrupted: new AbortController().signal,
  willChange: () => {},
  write: () => {},
  note: () => {},
  style: (_style, text) => text,
  lines: async function* () {},
  input: async () => "",
};

async function answered(keys: string): Promise<unknown> {
  const input = new PassThrough();
  const streams = { input, output: new PassThrough(), terminal: true };
  const asked = confirm(TERMINAL, "3 would be deleted.", false, streams);
  input.write(keys);
  return asked.then(
    () => "yes",
    ({ exitCode, message }: { readonly exitCode: number; readonly message: string }) => [exitCode, message],
  );
}

it.each([
  ["y and Enter", "y\n", "yes"],
  ["Enter", "\n", [1, "Nothing was changed."]],
  ["another word", "yes please\n", [1, "Nothing was changed."]],
  ["Ctrl-C", "\u0003", [130, "Nothing was changed."]],
  ["Ctrl-C within a yes", "y\u0003", [130, "Nothing was changed."]],
  ["Ctrl-D", "\u0004", [1, "Nothing was changed."]],
])("%s answers the question", async (_what, keys, outcome) => {
  expect(await answered(keys)).toEqual(outcome);
});
