/** Three due times of a schedule and their runs, by a runtime. No plan of the survivors repeats them. */
import { activity, Client, orchestration, Runtime, schedule, silentLogger, sleep } from "@duroxide-ts/core";
import { START_MS, type Stage } from "../../support/stage.ts";
import { type Operation, operation } from "../operation.ts";

const LOOK_MS = 1_000;

/** Due times, ms since the epoch. Time passes only where the next one is soon. */
export const DUE_MS: readonly number[] = [1, 2, 3].map((n) => START_MS + n * 3_000);

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);
const run = orchestration("run", async (ctx) => ctx.scheduleActivity(greet, "you"));
const ticks = schedule("ticks", { at: DUE_MS, orchestration: run, catchUp: "all", overlap: "allow" });

function clientOf({ provider, clock }: Stage): Client {
  return new Client(provider, { clock, logger: silentLogger });
}

/** Resolves to the ids of the runs when as many have completed as there are due times. */
export async function runSchedule(stage: Stage): Promise<readonly string[]> {
  const { provider, clock } = stage;
  clock.run();
  const client = clientOf(stage);
  const runtime = await Runtime.start({
    provider,
    clock,
    orchestrations: [run],
    activities: [greet],
    logger: silentLogger,
    reportWorker: false,
  });
  const filter = { schedule: "ticks", status: ["Completed"] } as const;
  try {
    for (;;) {
      const { instances } = await client.admin.query({ filter });
      if (instances.length >= DUE_MS.length) return instances.map(({ instanceId }) => instanceId);
      await sleep(clock, LOOK_MS);
    }
  } finally {
    await runtime.shutdown({ graceMs: 0 });
  }
}

export const SCHEDULE: Operation = operation({
  name: "schedule with three runs",
  prepare: (stage) => clientOf(stage).schedules.apply([ticks]),
  act: runSchedule,
});
