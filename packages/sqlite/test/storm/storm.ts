/**
 * Several processes serve real orchestrations from one file, and die or stand still beyond their leases every now
 * and then. In the end every orchestration has ended right, nothing is left over, and no activity ran when it
 * must not have (run-violations.ts).
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { applyLoad, type LoadResult } from "../../../../test/storm/load.ts";
import { Workers } from "../../../../test/storm/workers.ts";
import { ProgramProcess } from "../../../../test/support/program-process.ts";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { runViolations } from "./run-violations.ts";
import { readSideLogs } from "./side-log.ts";
import { lookAtStored, type Stored } from "./stored-violations.ts";

const WORKER = path.join(import.meta.dirname, "worker.ts");

export interface StormOptions {
  readonly seed: number;
  /** How long orchestrations are started, and processes are in trouble. */
  readonly durationMs: number;
  readonly processes: number;
  /** Orchestrations at a time. */
  readonly lanes: number;
  readonly leaseMs: number;
  /** Shortest and longest time between two troubles, ms. */
  readonly calmMs: readonly [number, number];
}

export interface StormResult {
  readonly orchestrations: number;
  readonly events: number;
  readonly runs: number;
  readonly killed: number;
  /** Processes that stood still beyond all their leases, and went on. */
  readonly frozen: number;
  readonly violations: readonly string[];
}

export async function runStorm(options: StormOptions): Promise<StormResult> {
  const folder = mkdtempSync(path.join(tmpdir(), "duroxide-storm-"));
  const [file, logs] = [path.join(folder, "storm.db"), path.join(folder, "logs")];
  mkdirSync(logs);
  try {
    const { workers, load, stored } = await storm(options, file, logs);
    const recorded = readSideLogs(logs);
    return {
      orchestrations: load.orchestrations,
      events: stored.events,
      runs: recorded.events.filter(({ kind }) => kind === "began").length,
      killed: workers.killed,
      frozen: workers.frozen,
      violations: [
        ...load.violations,
        ...workers.breakdowns,
        ...stored.violations,
        ...runViolations(recorded, options.leaseMs),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function storm(
  { seed, durationMs, processes, lanes, leaseMs, calmMs }: StormOptions,
  file: string,
  logs: string,
): Promise<{ readonly workers: Workers; readonly load: LoadResult; readonly stored: Stored }> {
  await using provider = await SqliteProvider.open(file);
  await using workers = new Workers({
    count: processes,
    random: new SeededRandom(seed),
    start: () => new ProgramProcess(WORKER, [file, logs, String(leaseMs)]),
    calmMs,
    frozenMs: 1.5 * leaseMs,
  });
  workers.beginTrouble();
  // What has begun by then ends in peace, however slow the machine is.
  const peace = setTimeout(() => workers.endTrouble(), durationMs);
  const load = await applyLoad(new Client(provider), { durationMs, lanes });
  clearTimeout(peace);
  workers.endTrouble();
  return { workers, load, stored: await whenCalm(file) };
}

const CALM_MS = 30_000;
const LOOK_EVERY_MS = 250;

/** The faults of the file, after the remaining processes have had time to clean up. */
async function whenCalm(file: string): Promise<Stored> {
  const endsAtMs = Date.now() + CALM_MS;
  for (;;) {
    const stored = lookAtStored(file);
    if (stored.violations.length === 0 || Date.now() > endsAtMs) return stored;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Enough to see what is wrong. */
const MOST_VIOLATIONS = 50;

export function describeStorm({
  orchestrations,
  events,
  runs,
  killed,
  frozen,
  violations,
}: StormResult): string {
  return [
    `${orchestrations} orchestrations, ${events} events, ${runs} runs of activities`,
    `${killed} processes killed, ${frozen} frozen for a while, ${violations.length} violations`,
    ...violations.slice(0, MOST_VIOLATIONS).map((violation) => `FAILED  ${violation}`),
  ].join("\n");
}
