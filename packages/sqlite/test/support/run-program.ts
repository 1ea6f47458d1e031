/** One program from its start to its end, by a runtime of its own that takes over what a killed process has left. */
import { type AnyOrchestration, Client, Runtime, silentLogger } from "@duroxide-ts/core";
import type { VirtualClock } from "@duroxide-ts/core/testing";
import type { SqliteProvider } from "../../src/index.ts";

/** Locks of the process that died end before it. */
const LOCKS_END_MS = 31_000;

export async function runProgram<Output>(
  provider: SqliteProvider,
  clock: VirtualClock,
  program: AnyOrchestration,
  input?: unknown,
  options: { readonly limit?: string } = {},
): Promise<Output> {
  const client = new Client(provider, { clock, logger: silentLogger });
  const handle = await client.start(program, { instanceId: "i", input, ifExists: "reuse", ...options });
  await using _runtime = await Runtime.start({
    provider,
    clock,
    orchestrations: [program],
    logger: silentLogger,
    reportWorker: false,
  });
  const ended = handle.result();
  let isEnded = false;
  ended.finally(() => (isEnded = true)).catch(() => {});
  for (let passes = 0; passes < 10 && !isEnded; passes++) {
    await clock.settle();
    if (!isEnded) await clock.advance(LOCKS_END_MS);
  }
  return ended as Promise<Output>;
}
