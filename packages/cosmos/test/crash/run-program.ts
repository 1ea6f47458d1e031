/** One program from its start to its end, by a runtime of this process. */
import { setTimeout } from "node:timers/promises";
import { type AnyOrchestration, Client, Runtime, silentLogger } from "@duroxide-ts/core";
import type { Stage } from "../support/stage.ts";

const LOOK_MS = 10;

/** Resolves to the result of the program, which is started if it is not there; rejects with its failure. */
export async function runProgram<Output>(
  { provider, clock }: Stage,
  program: AnyOrchestration,
  input?: unknown,
): Promise<Output> {
  clock.run();
  const client = new Client(provider, { clock, logger: silentLogger });
  const handle = await client.start(program, { instanceId: "i", input, ifExists: "reuse" });
  const runtime = await Runtime.start({
    provider,
    clock,
    orchestrations: [program],
    logger: silentLogger,
    reportWorker: false,
  });
  try {
    for (;;) {
      const status = await handle.status();
      if (status.status === "Completed") return status.output as Output;
      if ("details" in status) throw new Error(status.message);
      await setTimeout(LOOK_MS);
    }
  } finally {
    await runtime.shutdown({ graceMs: 0 });
  }
}
