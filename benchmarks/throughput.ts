/** Drives one workload and measures it: one JSON line, comparable with the peers' baselines. */
import { Client, Runtime, type RuntimeOptions } from "@duroxide-ts/core";
import type { Durability } from "@duroxide-ts/sqlite";
import { type Figures, latencyFigures, round } from "./figures.ts";
import type { StoreName } from "./store-names.ts";
import { withStore } from "./stores.ts";
import { syncTimesMs } from "./sync-limit.ts";
import { activities, orchestrations, ticks, WORKLOADS, type Workload } from "./workloads.ts";

const WARM_UP = 20;

export interface Measurement extends WorkloadFigures, Partial<ShareOfSyncs> {
  readonly system: string;
  readonly version: string;
  readonly workload: string;
  /** Durability of the SQLite file. */
  readonly durability?: Durability;
}

interface WorkloadFigures extends Figures {
  readonly first100_ms?: number;
  readonly last100_ms?: number;
}

/** Figures of W4 with `durability: "power"`, whose every step is one sync. */
interface ShareOfSyncs {
  /** Rate that the disk allows, by the mean of syncs before and after the workload. */
  readonly syncs_per_second: number;
  readonly share_of_syncs: number;
}

/** A fresh store for each workload, default options unless told otherwise, all in one process. */
export async function measure(
  name: string,
  options: Partial<RuntimeOptions> = {},
  store: StoreName = "sqlite",
  durability: Durability = "power",
): Promise<Measurement> {
  const workload = WORKLOADS[name];
  if (workload === undefined)
    throw new Error(`unknown workload "${name}"; there are ${Object.keys(WORKLOADS).join(", ")}`);
  return withStore(store, durability, async (provider) => {
    await using _runtime = await Runtime.start({ provider, activities, orchestrations, ...options });
    const client = new Client(provider);
    const runOne = async (orchestration: string, instanceId: string): Promise<void> => {
      const instance = await client.start(orchestration, { instanceId, input: instanceId });
      await instance.result({ timeout: { minutes: 5 } });
    };
    for (let n = 0; n < WARM_UP; n++) await runOne("hello", `warm-${n}`);
    ticks.length = 0;
    const isSynced = name === "W4" && store === "sqlite" && durability === "power";
    const syncsMs = isSynced ? syncTimesMs() : [];
    const figures = await drive(workload, runOne);
    const share = isSynced && shareOf(figures, [...syncsMs, ...syncTimesMs()]);
    const system = `duroxide-ts/${store}`;
    const { version } = provider;
    return {
      system,
      version,
      workload: name,
      ...(store === "sqlite" && { durability }),
      ...figures,
      ...share,
    };
  });
}

function shareOf({ per_second }: Figures, syncsMs: readonly number[]): ShareOfSyncs {
  const syncs = (1_000 * syncsMs.length) / syncsMs.reduce((sum, ms) => sum + ms, 0);
  return { syncs_per_second: round(syncs), share_of_syncs: round(per_second / syncs) };
}

async function drive(
  { orchestration, n, concurrency, per, unit }: Workload,
  runOne: (orchestration: string, instanceId: string) => Promise<void>,
): Promise<WorkloadFigures> {
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const lane = async (): Promise<void> => {
    for (let index = next++; index < n; index = next++) {
      const begin = performance.now();
      await runOne(orchestration, `run-${index}`);
      latencies.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const seconds = (performance.now() - startedAt) / 1000;
  const steps =
    orchestration === "long" ? ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? tick)) : latencies;
  return {
    n,
    concurrency,
    seconds: round(seconds),
    per_second: round((n * per) / seconds),
    ...latencyFigures(steps),
    unit,
    ...(orchestration === "long" && {
      first100_ms: round((ticks[100] ?? 0) - (ticks[0] ?? 0)),
      last100_ms: round((ticks[999] ?? 0) - (ticks[899] ?? 0)),
    }),
  };
}
