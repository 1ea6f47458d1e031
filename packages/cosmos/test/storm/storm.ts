/**
 * Several processes serve real orchestrations on an endpoint that fails, and die or stand still every now and then. In
 * the end every orchestration has ended right, and nothing is left over, by what is stored.
 */
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { Interruptions } from "../../../../test/storm/interruptions.ts";
import { applyLoad } from "../../../../test/storm/load.ts";
import { Processes } from "../../../../test/storm/processes.ts";
import { WITH_LARGE_TURNS } from "../../../../test/storm/programs.ts";
import { endingsOf, type Report } from "../../../../test/storm/report.ts";
import { ProgramProcess } from "../../../../test/support/program-process.ts";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { allDocuments, type Document, rawContainer } from "../invariants/documents.ts";
import { violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";
import { CODEC } from "../rust-peer/place.ts";
import { withoutDeadLocks } from "../rust-peer/stored.ts";
import { addDistance, PartitionChanges } from "../support/partition-changes.ts";
import { PieceCounter } from "./piece-counter.ts";
import type { Place } from "./place.ts";
import { describeRecovery, type Recovered, Recovery } from "./recovery.ts";
import { dividedByRust, PROGRAMS_OF_BOTH, startRustWorker, withoutFailedByRust } from "./rust-workers.ts";
import { Weather } from "./weather.ts";

const WORKER = path.join(import.meta.dirname, "worker.ts");

export interface StormOptions {
  readonly seed: number;
  /** How long orchestrations are started. */
  readonly durationMs: number;
  /** Number of processes that serve orchestrations, and die or stand still. */
  readonly processes: number;
  /** Orchestrations at a time. */
  readonly lanes: number;
  /** How likely a request meets a fault. */
  readonly faultRate: number;
  readonly physicalPartitions?: number;
  /** Physical partitions are split, merged, moved and throttled meanwhile. */
  readonly changesPartitions?: boolean;
  /** Throughput of the container, RU/s. Some turns are larger than a batch then. */
  readonly requestUnits?: number;
  /** Processes of Rust that serve the same orchestrations. Only the programs that both sides have run then. */
  readonly rustProcesses?: number;
}

/** A search that comes later is a violation. */
const RECOVERED_WITHIN_MS = 2_000;

/** The endpoint log keeps more than the requests between two reads of it. */
const LOGGED_REQUESTS = 20_000;

/** Pause between two changes of partitions, and the times while one is completed and while one throttles, ms. */
const CHANGES = { pauseMs: 2_500, completingMs: 100, throttled: { forMs: 1_500 } } as const;

export async function runStorm(options: StormOptions): Promise<Report> {
  const { seed, faultRate, physicalPartitions = 1, rustProcesses = 0 } = options;
  await using emulator = await CosmosEmulator.start({
    port: 0,
    // Also as the proxy, whose port is another one.
    allowedHosts: ["127.0.0.1"],
    seed,
    physicalPartitions,
    requestLogSize: LOGGED_REQUESTS,
  });
  const { requestUnits } = options;
  await using pieces = requestUnits === undefined ? undefined : await PieceCounter.before(emulator);
  const connectionString = pieces?.connectionString ?? emulator.connectionString;
  const place: Place = { connectionString, database: "storm", container: "storm" };
  await using provider = await CosmosProvider.connect(place);
  await using processes = startProcesses(place, options);
  const weather = new Weather(emulator);
  const mark = emulator.requestLog.mark();
  const isMixed = rustProcesses > 0;
  weather.rise(faultRate, isMixed);
  if (requestUnits !== undefined) emulator.faults.setBudget(place.database, place.container, requestUnits);
  await using recovery = new Recovery(emulator.requestLog, () => processes.troubledAtMs);
  const changes =
    options.changesPartitions === true ? changePartitions(emulator, place, seed, recovery) : undefined;
  const interruptions = interrupt(processes, options);
  const client = new Client(provider, isMixed ? { codec: CODEC } : {});
  const { orchestrations, violations } = await applyLoad(client, {
    ...options,
    ...(requestUnits !== undefined && { programs: WITH_LARGE_TURNS, resultTimeoutMs: WAIT_ON_A_BUDGET_MS }),
    ...(isMixed && { programs: PROGRAMS_OF_BOTH }),
  });
  const { own, ofRust } = isMixed ? dividedByRust(violations) : { own: violations, ofRust: [] };
  await interruptions.end();
  await changes?.[Symbol.asyncDispose]();
  weather.settle();
  const { requests, charge } = emulator.requestLog.since(mark).total;
  const ofOwn = (documents: readonly Document[]): readonly Document[] =>
    withoutFailedByRust(withoutDeadLocks(documents));
  const stored = await whenCalm(place, isMixed ? ofOwn : undefined);
  const late = recovery.recovered.filter(isLate);
  return {
    facts: {
      orchestrations,
      processes: endingsOf(processes),
      requests: `${requests}, of which met ${weather.describe(requests)}`,
      ...(pieces !== undefined && {
        budget: `${Math.round(charge)} RU, ${pieces.stored} pieces of staged commits`,
      }),
      ...(changes !== undefined && {
        partitions: [...changes.counts].map(([what, count]) => `${count} ${what}`).join(", "),
        "splits and merges": describeRecovery(recovery.recovered),
      }),
      ...(isMixed && { "failed by Rust": [ofRust.length, ...ofRust].join("\n  ") }),
      documents: stored.documents,
    },
    broken: {
      [ENDINGS]: own,
      [BREAKDOWNS]: processes.breakdowns,
      "after a split or merge work is searched for soon": late.map(({ ms }) => `${ms} ms later`),
      "each piece of a commit is stored once": pieces?.violations ?? [],
      [LEFTOVERS]: stored.violations,
    },
  };
}

export const ENDINGS = "every orchestration ends with its result";
export const BREAKDOWNS = "no process ends by itself, or holds more and more";
export const LEFTOVERS = "nothing is left over in the documents";

function isLate({ ms, isDisturbed }: Recovered): boolean {
  return !isDisturbed && ms > RECOVERED_WITHIN_MS;
}

function changePartitions(
  emulator: CosmosEmulator,
  { database, container }: Place,
  seed: number,
  recovery: Recovery,
): PartitionChanges {
  addDistance(emulator);
  return new PartitionChanges({
    ...CHANGES,
    emulator,
    names: { database, container },
    random: new SeededRandom(seed + 1),
    onChange: (gone, ranges) => recovery.begin(gone, ranges),
  });
}

/** Shortest and longest time between two troubles, ms. */
const CALM_BETWEEN_MS = [1_500, 4_000] as const;

/** A process that stores a large turn needs several seconds of all request units. */
const CALM_ON_A_BUDGET_MS = [15_000, 40_000] as const;

/** An orchestration waits for the request units of others. */
const WAIT_ON_A_BUDGET_MS = 600_000;

/** Duration of the leases of Rust's workers, as in worker.ts, ms. */
const LEASE_MS = 5_000;

/** Longer than the leases of worker.ts. */
const FROZEN_MS = 8_000;

export function startProcesses(place: Place, { processes, rustProcesses = 0 }: StormOptions): Processes {
  const { connectionString, database, container } = place;
  const programs = rustProcesses > 0 ? "of-both" : "all";
  return new Processes(processes + rustProcesses, (seat) =>
    seat < processes
      ? new ProgramProcess(WORKER, [connectionString, database, container, programs])
      : startRustWorker(place, LEASE_MS),
  );
}

export function interrupt(
  processes: Processes,
  { seed, durationMs, requestUnits }: StormOptions,
): Interruptions {
  return new Interruptions({
    processes,
    random: new SeededRandom(seed),
    calmMs: requestUnits === undefined ? CALM_BETWEEN_MS : CALM_ON_A_BUDGET_MS,
    frozenMs: FROZEN_MS,
    durationMs,
  });
}

/** The longest lease, and some passes of the reconciler. */
const CALM_MS = 45_000;
const LOOK_EVERY_MS = 500;

/** Waits for the remaining processes to tidy up, and returns what is wrong with the documents then. */
export async function whenCalm(
  { connectionString, database, container: name }: Place,
  but: (documents: readonly Document[]) => readonly Document[] = (documents) => documents,
): Promise<{
  readonly documents: number;
  readonly violations: readonly string[];
}> {
  using raw = rawContainer(connectionString, database, name);
  const endsAtMs = Date.now() + CALM_MS;
  for (;;) {
    const documents = but(await allDocuments(raw.container));
    const violations = [...leftoversIn(documents), ...violationsIn(documents)];
    if (violations.length === 0 || Date.now() > endsAtMs) return { documents: documents.length, violations };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
