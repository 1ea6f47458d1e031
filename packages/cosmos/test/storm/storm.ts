/**
 * Several processes serve real orchestrations on an endpoint that fails, and die or stand still every now and then. In
 * the end every orchestration has ended right, and nothing is left over, by what is stored.
 */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

import { applyLoad } from "../../../../test/storm/load.ts";
import { Workers } from "../../../../test/storm/workers.ts";
import { ProgramProcess } from "../../../../test/support/program-process.ts";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { removeContainer } from "../../../../test/support/stores/remove-container.ts";
import { allDocuments, rawContainer } from "../invariants/documents.ts";
import { violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";

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
}

export interface StormResult {
  readonly orchestrations: number;
  readonly killed: number;
  /** Processes that stood still beyond all their leases, and went on. */
  readonly frozen: number;
  /** While faults were about. */
  readonly requests: number;
  readonly faults: readonly FaultCount[];
  readonly documents: number;
  /** Of orchestrations, processes and documents. */
  readonly violations: readonly string[];
}

export async function runStorm(options: StormOptions): Promise<StormResult> {
  const { seed, faultRate, physicalPartitions = 1 } = options;
  await using emulator = await CosmosEmulator.start({ port: 0, explorer: false, seed, physicalPartitions });
  const place: Place = { connectionString: emulator.connectionString, database: "storm", container: "storm" };
  const weather = new Weather(emulator);
  const mark = emulator.requestLog.mark();
  let requests = 0;
  const result = await underTrouble(place, options, {
    begin: () => weather.rise(faultRate),
    end: () => {
      weather.settle();
      requests = emulator.requestLog.since(mark).total.requests;
    },
  });
  return { ...result, requests, faults: weather.counts };
}

/** On the account that the environment names, without faults but the deaths of processes, in a container of its own. */
export async function runStormOnAccount(options: StormOptions): Promise<StormResult> {
  const { COSMOSDB_ENDPOINT: endpoint = "", COSMOSDB_KEY: key = "", COSMOSDB_DATABASE } = process.env;
  const place = { database: COSMOSDB_DATABASE || "duroxide", container: `storm-${randomUUID().slice(0, 8)}` };
  try {
    const result = await underTrouble(place, options, { begin: () => {}, end: () => {} });
    return { ...result, requests: 0, faults: [] };
  } finally {
    await removeContainer({ endpoint, key, ...place });
  }
}

interface Faults {
  begin(): void;
  end(): void;
}

async function underTrouble(
  place: Place,
  options: StormOptions,
  faults: Faults,
): Promise<Omit<StormResult, "requests" | "faults">> {
  await using provider = await (place.connectionString === undefined
    ? CosmosProvider.fromEnvironment(process.env, place)
    : CosmosProvider.connect(place));
  await using workers = startWorkers(place, options);
  faults.begin();
  workers.beginTrouble();
  const { orchestrations, violations } = await applyLoad(new Client(provider), options);
  workers.endTrouble();
  faults.end();
  const stored = await whenCalm(place);
  return {
    orchestrations,
    killed: workers.killed,
    frozen: workers.frozen,
    documents: stored.documents,
    violations: [...violations, ...workers.breakdowns, ...stored.violations],
  };
}

/** Between two troubles, at least and at most. */
const CALM_BETWEEN_MS = [1_500, 4_000] as const;

/** Longer than the leases of worker.ts. */
const FROZEN_MS = 8_000;

function startWorkers(
  { connectionString = "", database, container }: Place,
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
async function whenCalm({ connectionString, database, container: name }: Place): Promise<{
  readonly documents: number;
  readonly violations: readonly string[];
}> {
  const { COSMOSDB_ENDPOINT, COSMOSDB_KEY } = process.env;
  const account = connectionString ?? `AccountEndpoint=${COSMOSDB_ENDPOINT};AccountKey=${COSMOSDB_KEY};`;
  using raw = rawContainer(account, database, name);
  const endsAtMs = Date.now() + CALM_MS;
  for (;;) {
    const documents = await allDocuments(raw.container);
    const violations = [...leftoversIn(documents), ...violationsIn(documents)];
    if (violations.length === 0 || Date.now() > endsAtMs) return { documents: documents.length, violations };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
