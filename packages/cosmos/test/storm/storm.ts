/**
 * Several processes serve real orchestrations on an endpoint that fails, and die or stand still every now and then. In
 * the end every orchestration has ended right, and nothing is left over, by what is stored.
 */
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

import { applyLoad } from "../../../../test/storm/load.ts";
import { Workers } from "../../../../test/storm/workers.ts";
import { ProgramProcess } from "../../../../test/support/program-process.ts";

import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { allDocuments, rawContainer } from "../invariants/documents.ts";
import { violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";

import { PartitionChanges } from "./partition-changes.ts";
import type { Place } from "./place.ts";
import { type FaultCount, Weather } from "./weather.ts";

const WORKER = path.join(import.meta.dirname, "worker.ts");

export interface StormOptions {
  readonly seed: number;
  /** How long orchestrations are started. */
  readonly durationMs: number;
  /** That serve orchestrations, and die or stand still. */
  readonly processes: number;
  /** Orchestrations at a time. */
  readonly lanes: number;
  /** How likely a request meets a fault. */
  readonly faultRate: number;
  readonly physicalPartitions?: number;
  /** Physical partitions are split, merged, moved and throttled meanwhile. */
  readonly changesPartitions?: boolean;
}

export interface StormResult {
  readonly orchestrations: number;
  readonly killed: number;
  /** Processes that stood still beyond all their leases, and went on. */
  readonly frozen: number;
  /** While faults were about. */
  readonly requests: number;
  readonly faults: readonly FaultCount[];
  /** What was done to physical partitions, how often. */
  readonly changes: ReadonlyMap<string, number>;
  readonly documents: number;
  /** Of orchestrations, processes and documents. */
  readonly violations: readonly string[];
}

export async function runStorm(options: StormOptions): Promise<StormResult> {
  const { seed, faultRate, physicalPartitions = 1 } = options;
  await using emulator = await CosmosEmulator.start({ port: 0, explorer: false, seed, physicalPartitions });
  const place: Place = { connectionString: emulator.connectionString, database: "storm", container: "storm" };
  await using provider = await CosmosProvider.connect(place);
  await using workers = startWorkers(place, options);
  const weather = new Weather(emulator);
  const mark = emulator.requestLog.mark();
  weather.rise(faultRate);
  const changes =
    options.changesPartitions === true
      ? new PartitionChanges(emulator, place, new SeededRandom(seed + 1))
      : undefined;
  workers.beginTrouble();
  const { orchestrations, violations } = await applyLoad(new Client(provider), options);
  workers.endTrouble();
  await changes?.stop();
  weather.settle();
  const { requests } = emulator.requestLog.since(mark).total;
  const stored = await whenCalm(place);
  return {
    orchestrations,
    killed: workers.killed,
    frozen: workers.frozen,
    requests,
    faults: weather.counts,
    changes: changes?.counts ?? new Map(),
    documents: stored.documents,
    violations: [...violations, ...workers.breakdowns, ...stored.violations],
  };
}

/** Between two troubles, at least and at most. */
const CALM_BETWEEN_MS = [1_500, 4_000] as const;

/** Longer than the leases of worker.ts. */
const FROZEN_MS = 8_000;

export function startWorkers(
  { connectionString, database, container }: Place,
  { seed, processes }: StormOptions,
): Workers {
  return new Workers({
    count: processes,
    random: new SeededRandom(seed),
    start: () => new ProgramProcess(WORKER, [connectionString, database, container]),
    calmMs: CALM_BETWEEN_MS,
    frozenMs: FROZEN_MS,
  });
}

/** The longest lease, and some passes of the reconciler. */
const CALM_MS = 45_000;
const LOOK_EVERY_MS = 500;

/** What is wrong with the documents, when those who are left have had their time to tidy up. */
export async function whenCalm({ connectionString, database, container: name }: Place): Promise<{
  readonly documents: number;
  readonly violations: readonly string[];
}> {
  using raw = rawContainer(connectionString, database, name);
  const endsAtMs = Date.now() + CALM_MS;
  for (;;) {
    const documents = await allDocuments(raw.container);
    const violations = [...leftoversIn(documents), ...violationsIn(documents)];
    if (violations.length === 0 || Date.now() > endsAtMs) return { documents: documents.length, violations };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
