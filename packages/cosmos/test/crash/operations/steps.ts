/** A program of steps in place, from its start to its end, by a runtime. No plan of the survivors repeats it. */
import { setTimeout } from "node:timers/promises";
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import type { Stage } from "../../support/stage.ts";
import { type Operation, operation } from "../operation.ts";

let runs = 0;

/** Names the run of a step, so that two of them differ, also in two processes. */
function outcome(name: string, ...before: readonly (string | undefined)[]): string {
  return [name, `${process.pid}-${++runs}`, ...before].join(" ");
}

/** The second execution captures an entry that the first one has written. */
export const program = orchestration(
  "program",
  async (ctx, earlier: readonly string[]): Promise<readonly string[]> => {
    const first = await ctx.run("first", () => outcome("first"));
    if (earlier.length === 0) {
      ctx.kv.set("first", first);
      return ctx.continueAsNew(program, [first]);
    }
    const entry = ctx.kv.get<string>("first");
    const both = await ctx.all([
      ctx.run("left", () => outcome("left", entry, first)),
      ctx.run("right", () => outcome("right", entry, first)),
    ]);
    return [...earlier, first, ...both];
  },
);

const LOOK_MS = 10;

/** Resolves to the result of the program, which is started if it is not there. */
export async function runSteps({ provider, clock }: Stage): Promise<readonly string[]> {
  clock.run();
  const client = new Client(provider, { clock, logger: silentLogger });
  const handle = await client.start(program, { instanceId: "i", input: [], ifExists: "reuse" });
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
      if (status.status === "Completed") return status.output;
      if (status.status === "Failed") throw new Error(status.message);
      await setTimeout(LOOK_MS);
    }
  } finally {
    await runtime.shutdown({ graceMs: 0 });
  }
}

export const STEPS: Operation = operation({
  name: "program of steps in place",
  prepare: async () => undefined,
  act: (stage) => runSteps(stage),
});
