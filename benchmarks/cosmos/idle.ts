/**
 * Measures what a fleet costs that has nothing to do: requests and request units a second of all its processes
 * together.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import type { RequestInfo } from "@duroxide-ts/cosmos";
import { round } from "../figures.ts";
import { withContainer } from "./with-container.ts";

interface Fleet {
  readonly processes: number;
  readonly physicalPartitions: number;
  /** Number of sessions that instances have left open; none by default. */
  readonly sessions?: number;
}

const FLEETS: readonly Fleet[] = [
  { processes: 1, physicalPartitions: 1 },
  { processes: 1, physicalPartitions: 3 },
  { processes: 3, physicalPartitions: 3 },
  { processes: 10, physicalPartitions: 1 },
  { processes: 1, physicalPartitions: 10 },
  { processes: 10, physicalPartitions: 10 },
  { processes: 1, physicalPartitions: 1, sessions: 26 },
];

/** Time until the intervals are at their longest and each process knows the others, ms. */
const SETTLE_MS = 26_000;
/** Some renewals happen once in 25 s, passes of the reconciler once in 8 s. */
const MEASURE_MS = 50_000;

export async function measureIdle(): Promise<readonly object[]> {
  const measurements: object[] = [];
  for (const fleet of FLEETS) measurements.push(await idle(fleet));
  return measurements;
}

async function idle({ processes, physicalPartitions, sessions = 0 }: Fleet): Promise<object> {
  const log: RequestInfo[] = [];
  const onRequest = (info: RequestInfo): number => log.push(info);
  return withContainer({ physicalPartitions, onRequest }, async (provider, openAnother) => {
    const work = activity("work", async () => {});
    const program = orchestration("program", async (ctx) =>
      ctx.scheduleActivity(work, undefined, { session: ctx.instanceId }),
    );
    await using runtimes = new AsyncDisposableStack();
    const start = { activities: [work], orchestrations: [program] };
    runtimes.use(await Runtime.start({ provider, ...start }));
    for (let n = 1; n < processes; n++) {
      runtimes.use(await Runtime.start({ provider: await openAnother(), ...start }));
    }
    const client = new Client(provider);
    for (let n = 0; n < sessions; n++) await (await client.start(program)).result();
    await sleep(SETTLE_MS);
    log.length = 0;
    await sleep(MEASURE_MS);
    const measured = log.splice(0);
    const operations = Map.groupBy(measured, ({ operation, kind }) => `${operation} ${kind}`);
    return {
      system: "duroxide-ts/cosmos",
      workload: "idle",
      processes,
      physical_partitions: physicalPartitions,
      sessions,
      // Of all processes.
      requests_per_second: aSecond(measured.length),
      charge_per_second: aSecond(chargeOf(measured)),
      charge_by_operation: Object.fromEntries(
        [...operations].map(([name, each]) => [name, aSecond(chargeOf(each))]),
      ),
    };
  });
}

function aSecond(total: number): number {
  return round((1_000 * total) / MEASURE_MS);
}

function chargeOf(log: readonly RequestInfo[]): number {
  return log.reduce((sum, { charge }) => sum + charge, 0);
}
