/** What a process costs that has nothing to do: requests and request units a second. */
import { setTimeout as sleep } from "node:timers/promises";
import { activity, orchestration, Runtime } from "@duroxide-ts/core";
import type { RequestInfo } from "@duroxide-ts/cosmos";
import { round } from "../figures.ts";
import { withContainer } from "./with-container.ts";

/** Until the intervals have grown to their longest. */
const SETTLE_MS = 6_000;
const MEASURE_MS = 20_000;

export interface IdleMeasurement {
  readonly system: "duroxide-ts/cosmos";
  readonly workload: "idle";
  readonly physical_partitions: number;
  readonly requests_per_second: number;
  readonly charge_per_second: number;
}

export async function measureIdle(): Promise<readonly IdleMeasurement[]> {
  return [await idle(1), await idle(3)];
}

async function idle(physicalPartitions: number): Promise<IdleMeasurement> {
  const log: RequestInfo[] = [];
  const options = { physicalPartitions, onRequest: (info: RequestInfo) => log.push(info) };
  return withContainer(options, async (provider) => {
    const work = activity("work", async () => {});
    const program = orchestration("program", async (ctx) => ctx.scheduleActivity(work));
    await using _runtime = await Runtime.start({ provider, activities: [work], orchestrations: [program] });
    await sleep(SETTLE_MS);
    log.length = 0;
    await sleep(MEASURE_MS);
    const seconds = MEASURE_MS / 1000;
    return {
      system: "duroxide-ts/cosmos",
      workload: "idle",
      physical_partitions: physicalPartitions,
      requests_per_second: round(log.length / seconds),
      charge_per_second: round(log.reduce((sum, { charge }) => sum + charge, 0) / seconds),
    };
  });
}
