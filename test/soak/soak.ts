/**
 * Hostile handlers beside innocent instances, in processes that are killed, frozen and started again, on a store that
 * fails for a while. In the end every innocent instance has its result, and whatever went wrong has a cause that the
 * soak knows of.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { Processes } from "../storm/processes.ts";
import { type Report, violationsOf } from "../storm/report.ts";
import { wrongRuns } from "../storm/runs.ts";
import { readSideLogs } from "../storm/side-log.ts";
import { ProgramProcess } from "../support/program-process.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { tooManyKillings, unexplainedDeaths } from "./checks/deaths.ts";
import { wrongEndings } from "./checks/endings.ts";
import { wrongHistories } from "./checks/histories.ts";
import { factsOf } from "./facts.ts";
import { Load } from "./load/load.ts";
import { watchProgress } from "./progress.ts";
import { type Deployment, type SoakOptions, timesOf, type WorkerSettings } from "./settings.ts";
import { openStore } from "./stores/open-store.ts";
import { Troubles } from "./troubles.ts";

const PROGRAM = path.join(import.meta.dirname, "worker.ts");

export async function runSoak(options: SoakOptions): Promise<Report> {
  const { seed, durationMs, instances, hostile, lockMs, settleMs, print } = options;
  const folder = await mkdtemp(path.join(tmpdir(), "duroxide-soak-logs-"));
  await using store = await openStore(options.store, instances, new SeededRandom(seed));
  const deployments = Array.from({ length: options.processes }, (): Deployment => "right");
  await using processes = new Processes(options.processes, (seat, name) => {
    const deployment = deployments[seat] ?? "right";
    const settings: WorkerSettings = { store: store.address, folder, lockMs, name, deployment };
    return new ProgramProcess(PROGRAM, [JSON.stringify(settings)]);
  });
  const client = new Client(store.provider);
  const load = new Load({
    client,
    random: new SeededRandom(seed + 1),
    durationMs,
    instances,
    hostile,
    lockMs,
  });
  const troubles = new Troubles({
    processes,
    store,
    random: new SeededRandom(seed + 2),
    lockMs,
    durationMs,
    deploy(deployment, at) {
      const seat = Math.floor(at * deployments.length);
      deployments[seat] = deployment;
      processes.kill(seat);
    },
    beforeDeployment: () => load.startReworked(),
    whileDeployed: async () => load.proceed(),
  });
  using progress = watchProgress({ load, processes, troubles, print });
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  progress.phase = "ending the faults";
  await troubles.end();
  progress.phase = "settling";
  const settledMs = await timed(() => load.settle(settleMs));
  progress.phase = "checking";

  const notes = readSideLogs(folder);
  const { deaths, freezes } = processes;
  const ended = load.in("innocent").filter(({ end }) => end?.status === "Completed");
  const ids = ended.map(({ id }) => id);
  const broken = {
    "innocent instances, and those that a deployment met, end with their result": [
      ...wrongEndings(load.instances, ["innocent", "deployment"]),
      ...load.breakdowns,
    ],
    "an innocent activity runs again only after a death, or a freeze beyond its lock, of the process that ran it":
      wrongRuns({ notes, deaths, freezes, excuseMs: timesOf(lockMs).excuseMs }),
    "hostile instances end as they may, and a killer ends a limited number of processes": [
      ...wrongEndings(load.instances, ["hostile"]),
      ...tooManyKillings(notes),
    ],
    "no process ends but by the soak or by a killer": unexplainedDeaths(deaths, notes),
    "histories of innocent instances are contiguous, end once and answer each schedule once":
      await wrongHistories(client.admin, ids),
  };
  const facts = { store: options.store, seed, ...factsOf({ load, notes, processes, troubles, settledMs }) };
  if (violationsOf({ facts, broken }).length > 0) return { facts: { ...facts, logs: folder }, broken };
  await rm(folder, { recursive: true, force: true });
  return { facts, broken };
}

async function timed(call: () => Promise<void>): Promise<number> {
  const beganMs = performance.now();
  await call();
  return performance.now() - beganMs;
}
