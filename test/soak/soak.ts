/**
 * Hostile handlers beside innocent instances, in processes that are killed, frozen and started again, on a store that
 * fails for a while. In the end every innocent instance has its result, and whatever went wrong has a cause that the
 * soak knows of.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@duroxide-ts/core";
import { SeededRandom } from "../support/seeded-random.ts";
import { countKillings, tooManyKillings, unexplainedDeaths } from "./checks/deaths.ts";
import { wrongEndings } from "./checks/endings.ts";
import { wrongHistories } from "./checks/histories.ts";
import { countRuns, wrongRuns } from "./checks/runs.ts";
import { type Violation, violationsOf } from "./checks/violation.ts";
import { Load } from "./load/load.ts";
import { watchProgress } from "./report/progress.ts";
import type { SoakResult } from "./report/result.ts";
import { type SoakOptions, timesOf } from "./settings.ts";
import { openStore } from "./stores/open-store.ts";
import { Supervisor } from "./supervise/supervisor.ts";
import { Troubles } from "./supervise/troubles.ts";
import { readSideLogs } from "./worker/side-log.ts";

export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { seed, durationMs, processes, instances, hostile, lockMs, settleMs, print } = options;
  const folder = await mkdtemp(path.join(tmpdir(), "duroxide-soak-logs-"));
  await using store = await openStore(options.store, instances, new SeededRandom(seed));
  await using supervisor = new Supervisor({ store: store.address, folder, lockMs }, processes);
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
    supervisor,
    store,
    random: new SeededRandom(seed + 2),
    lockMs,
    beforeDeployment: () => load.startReworked(),
    whileDeployed: async () => load.proceed(),
  });
  using progress = watchProgress({ load, supervisor, troubles, print });
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  progress.phase = "ending the faults";
  await troubles.end();
  progress.phase = "settling";
  const settledMs = await timed(() => load.settle(settleMs));
  progress.phase = "checking";

  const notes = readSideLogs(folder);
  const { deaths, freezes } = supervisor;
  const ended = load.in("innocent").filter(({ end }) => end?.status === "Completed");
  const violations: readonly Violation[] = [
    ...violationsOf("endings", wrongEndings(load.instances, ["innocent", "deployment"])),
    ...violationsOf("endings", load.breakdowns),
    ...violationsOf("runs", wrongRuns({ notes, deaths, freezes, excuseMs: timesOf(lockMs).excuseMs })),
    ...violationsOf("hostile", wrongEndings(load.instances, ["hostile"])),
    ...violationsOf("hostile", tooManyKillings(notes)),
    ...violationsOf("deaths", unexplainedDeaths(deaths, notes)),
    ...violationsOf(
      "histories",
      await wrongHistories(
        client.admin,
        ended.map(({ id }) => id),
      ),
    ),
  ];
  if (violations.length === 0) await rm(folder, { recursive: true, force: true });
  return {
    options,
    violations,
    instances: load.instances,
    ...countRuns(notes),
    deaths,
    freezes: freezes.length,
    killings: countKillings(notes),
    faults: troubles.faults,
    deployments: troubles.deployments,
    settledMs,
    ...(violations.length > 0 && { folder }),
  };
}

async function timed(call: () => Promise<void>): Promise<number> {
  const beganMs = performance.now();
  await call();
  return performance.now() - beganMs;
}
