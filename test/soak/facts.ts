/** Facts of a soak, for its report. */
import type { Processes } from "../storm/processes.ts";
import { endingsOf, type Report } from "../storm/report.ts";
import { countRuns } from "../storm/runs.ts";
import type { Noted } from "../storm/side-log.ts";
import { countKillings, MOST_DEATHS } from "./checks/deaths.ts";
import type { Load } from "./load/load.ts";
import type { Group } from "./programs/program.ts";
import type { Troubles } from "./troubles.ts";

export function factsOf({
  load,
  notes,
  processes,
  troubles,
  settledMs,
}: {
  readonly load: Load;
  readonly notes: readonly Noted[];
  readonly processes: Processes;
  readonly troubles: Troubles;
  /** How long the instances took to end once nothing was interrupted any more. */
  readonly settledMs: number;
}): Report["facts"] {
  const { runs, activities } = countRuns(notes);
  const killed = [...countKillings(notes).values()];
  return {
    ...Object.fromEntries(
      (["innocent", "deployment", "hostile"] as const).map((group) => [group, standing(load, group)]),
    ),
    "innocent activities": `${activities}, runs ${runs}`,
    processes: endingsOf(processes),
    killers: `${killed.length} ended ${killed.join(", ") || 0} processes (at most ${MOST_DEATHS.activity} by an activity, ${MOST_DEATHS.turn} by a turn)`,
    "faults of the store":
      [...troubles.faults].map(([name, count]) => `${name} ${count}`).join(", ") || "none",
    "careless deployments": troubles.deployments,
    "settled after": `${(settledMs / 1_000).toFixed(1)} s`,
  };
}

function standing(load: Load, group: Group): string {
  const all = load.in(group);
  const count = (status: string | undefined): number =>
    all.filter(({ end }) => end?.status === status).length;
  return `${all.length}: ${count("Completed")} completed, ${count("Failed")} failed, ${count(undefined)} open`;
}
