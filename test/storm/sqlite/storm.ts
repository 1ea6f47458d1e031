/**
 * Several processes serve real orchestrations from one file, and die or stand still beyond their leases every now
 * and then. In the end every orchestration has ended right, nothing is left over, and no activity ran when it
 * must not have.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { ProgramProcess } from "../../support/program-process.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import { Interruptions } from "../interruptions.ts";
import { applyLoad } from "../load.ts";
import { Processes } from "../processes.ts";
import { endingsOf, type Report } from "../report.ts";
import { countRuns, wrongAfterStored, wrongRuns } from "../runs.ts";
import { readSideLogs } from "../side-log.ts";
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

/** A process that stands still for less of its lease keeps its locks. */
const EXCUSE = 0.3;

export async function runStorm(options: StormOptions): Promise<Report> {
  const folder = mkdtempSync(path.join(tmpdir(), "duroxide-storm-"));
  try {
    return await storm(options, path.join(folder, "storm.db"), path.join(folder, "logs"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function storm(options: StormOptions, file: string, logs: string): Promise<Report> {
  const { durationMs, leaseMs, calmMs, lanes } = options;
  mkdirSync(logs);
  await using provider = await SqliteProvider.open(file);
  await using processes = new Processes(
    options.processes,
    (_, name) => new ProgramProcess(WORKER, [file, logs, String(leaseMs), name]),
  );
  const random = new SeededRandom(options.seed);
  const frozenMs = 1.5 * leaseMs;
  const interruptions = new Interruptions({ processes, random, calmMs, frozenMs, durationMs });
  const { orchestrations, violations } = await applyLoad(new Client(provider), { durationMs, lanes });
  await interruptions.end();
  const stored = await whenCalm(file);
  const notes = readSideLogs(logs);
  const { deaths, freezes, breakdowns } = processes;
  const { runs, activities } = countRuns(notes);
  return {
    facts: {
      orchestrations,
      events: stored.events,
      activities: `${activities}, runs ${runs}`,
      processes: endingsOf(processes),
    },
    broken: {
      "every orchestration ends with its result": violations,
      "no process ends by itself, or holds more and more": breakdowns,
      "nothing is left over in the file": stored.violations,
      "an activity runs again only after a death or a freeze": [
        ...wrongRuns({ notes, deaths, freezes, excuseMs: EXCUSE * leaseMs }),
        ...wrongAfterStored(notes),
      ],
    },
  };
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
