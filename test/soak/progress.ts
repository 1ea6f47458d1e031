/** One line every ten seconds while a soak runs. */

import type { Processes } from "../storm/processes.ts";
import { endingsOf } from "../storm/report.ts";
import type { Load } from "./load/load.ts";
import type { Group } from "./programs/program.ts";
import type { Troubles } from "./troubles.ts";

const EVERY_MS = 10_000;

export interface Progress extends Disposable {
  phase: string;
}

export function watchProgress({
  load,
  processes,
  troubles,
  print,
}: {
  readonly load: Load;
  readonly processes: Processes;
  readonly troubles: Troubles;
  readonly print: (line: string) => void;
}): Progress {
  const beganMs = performance.now();
  const progress = { phase: "running", [Symbol.dispose]: () => clearInterval(timer) };
  const line = (): string =>
    [
      `${clock(performance.now() - beganMs)} ${progress.phase}`,
      ...(["innocent", "deployment", "hostile"] as const).map((group) => `${group} ${standing(load, group)}`),
      `processes ${endingsOf(processes)}`,
      `store ${troubles.fault ?? "up"}`,
    ].join("; ");
  const timer = setInterval(() => print(line()), EVERY_MS);
  return progress;
}

/** Ended, failed among them, and started. */
function standing(load: Load, group: Group): string {
  const instances = load.in(group);
  const started = instances.filter(({ isStarted }) => isStarted).length;
  const ended = instances.filter(({ end }) => end !== undefined).length;
  const failed = instances.filter(({ end }) => end !== undefined && end.status !== "Completed").length;
  const failures = group === "hostile" || failed === 0 ? "" : ` (${failed} FAILED)`;
  return `${ended}${failures} of ${started} started`;
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}
