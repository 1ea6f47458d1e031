/** A client in the storm: starts one orchestration after the other, and notes each that does not end as it must. */
import { isDeepStrictEqual } from "node:util";
import type { Client, InstanceHandle } from "@duroxide-ts/core";
import { persist } from "../support/persist.ts";
import { go, LETTERS, letters, type Program } from "./programs.ts";

/** Long enough for many deaths on the way. */
export const RESULT_TIMEOUT_MS = 120_000;

/** Resolves to what is wrong with one orchestration. */
export async function runOne(
  client: Client,
  program: Program,
  number: number,
  timeoutMs: number,
): Promise<readonly string[]> {
  const instanceId = `${program.name}-${number}`;
  try {
    const handle = await persist(() =>
      client.start(program.name, { instanceId, input: program.input(number) }),
    );
    const sentTwice =
      program.needs === undefined ? false : await send(handle, program.needs, number, timeoutMs);
    const output = await persist(() => handle.result({ timeout: timeoutMs }));
    const received = sentTwice && Array.isArray(output) ? [...new Set(output)] : output;
    const expected = program.result(number);
    if (isDeepStrictEqual(received, expected)) return [];
    return [`${instanceId} ended with ${JSON.stringify(output)} instead of ${JSON.stringify(expected)}`];
  } catch (error) {
    return [`${instanceId}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

export function programOf(programs: readonly Program[], number: number): Program {
  const program = programs[number % programs.length];
  if (program === undefined) throw new Error("there are no programs");
  return program;
}

/** A repetition may find an instance that the first one has ended. */
const KEEP = { ifMissing: "keep" } as const;

/** True where something may have arrived twice, because its first answer was lost for good. */
async function send(
  handle: InstanceHandle<unknown>,
  what: "letters" | "go",
  number: number,
  timeoutMs: number,
): Promise<boolean> {
  // What comes before an instance has begun is dropped, and an event without a wait is lost.
  if (what === "go") {
    await persist(() => untilWaiting(handle, timeoutMs));
    return persistTwice(() => handle.raise(go, number, KEEP));
  }
  await untilBegun(handle);
  let sentTwice = false;
  for (const letter of [...LETTERS, "end" as const]) {
    sentTwice = (await persistTwice(() => handle.enqueue(letters, letter, KEEP))) || sentTwice;
  }
  return sentTwice;
}

async function untilWaiting(handle: InstanceHandle<unknown>, timeoutMs: number): Promise<void> {
  for await (const status of handle.customStatus({ timeout: timeoutMs })) {
    if (status === "waiting") return;
  }
}

async function untilBegun(handle: InstanceHandle<unknown>): Promise<void> {
  for (;;) {
    const { status } = await persist(() => handle.status());
    if (status !== "NotFound") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** True where it had to be tried again. */
async function persistTwice(call: () => Promise<unknown>): Promise<boolean> {
  let attempts = 0;
  await persist(() => {
    attempts++;
    return call();
  });
  return attempts > 1;
}
