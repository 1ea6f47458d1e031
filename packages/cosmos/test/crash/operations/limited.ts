/** Two instances with a limit, of which one runs at a time, with limited activities in them. */
import { setTimeout } from "node:timers/promises";
import { Client, type InstanceHandle, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import type { Stage } from "../../support/stage.ts";
import { type Operation, operation } from "../operation.ts";

const LOOK_MS = 10;

let running = 0;
let instances = 0;

/** Most that ran at the same time in this process: instances, and activities of one key. */
export const most = { instances: 0, activities: 0 };

export const limited = orchestration("limited", async (ctx): Promise<string> => {
  const step = async (): Promise<number> => {
    most.activities = Math.max(most.activities, ++running);
    await setTimeout(1);
    return running--;
  };
  most.instances = Math.max(most.instances, ++instances);
  await ctx.all(["left", "right"].map((name) => ctx.run(name, step, { limit: "k/step" })));
  instances--;
  return "done";
});

/** Runs both to their ends, by a runtime of this process. */
export async function runLimited({ provider, clock }: Stage, ...ids: readonly string[]): Promise<void> {
  clock.run();
  const client = new Client(provider, { clock, logger: silentLogger });
  for (const key of ["k/step", "k/instance"]) await client.limits.set(key, { concurrency: 1 });
  const handles: InstanceHandle<string>[] = [];
  for (const instanceId of ids)
    handles.push(await client.start(limited, { instanceId, limit: "k/instance", ifExists: "reuse" }));
  const runtime = await Runtime.start({
    provider,
    clock,
    orchestrations: [limited],
    logger: silentLogger,
    reportWorker: false,
  });
  try {
    for (const handle of handles)
      for (;;) {
        const status = await handle.status();
        if (status.status === "Completed") break;
        if ("details" in status) throw new Error(status.message);
        await setTimeout(LOOK_MS);
      }
  } finally {
    await runtime.shutdown({ graceMs: 0 });
  }
}

export const LIMITED: Operation = operation({
  name: "instances and activities with limits",
  prepare: async () => undefined,
  act: (stage) => runLimited(stage, "i", "j"),
});
