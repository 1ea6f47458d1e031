/** Finds a smaller run of a seed that still fails: fewer processes, fewer programs, fewer faults. */
import type { Fault } from "../faults/fault.ts";
import type { Limits } from "../settings.ts";
import type { JobResult } from "./job.ts";

export type TryRun = (limits: Limits) => Promise<JobResult>;

export interface Shrunk {
  readonly limits: Limits;
  readonly result: JobResult;
}

export async function shrink(first: JobResult, tryRun: TryRun): Promise<Shrunk> {
  let best: Shrunk = {
    limits: { servers: first.servers, programs: first.programs, faults: first.enabled },
    result: first,
  };
  const improve = async (smaller: Partial<Limits>): Promise<boolean> => {
    const limits = { ...best.limits, ...smaller };
    const result = await tryRun(limits);
    if (result.violations.length === 0) return false;
    best = { limits, result };
    return true;
  };
  await improve({ operators: false });
  for (const fault of first.enabled) await improve({ faults: without(best.limits.faults ?? [], fault) });
  for (let servers = 1; servers < (best.limits.servers ?? 1); servers++)
    if (await improve({ servers })) break;
  for (let programs = 1; programs < (best.limits.programs ?? 1); programs *= 2) {
    if (await improve({ programs })) break;
  }
  return best;
}

export function commandOf(
  seed: number,
  store: string,
  { operators, servers, programs, faults }: Limits,
): string {
  const flags = [
    `--store ${store} --seed ${seed}`,
    ...(operators === false ? ["--no-operators"] : []),
    ...(servers === undefined ? [] : [`--servers ${servers}`]),
    ...(programs === undefined ? [] : [`--programs ${programs}`]),
    ...(faults === undefined ? [] : [`--faults ${faults.length === 0 ? "none" : faults.join(",")}`]),
  ];
  return `npm run dev -- simulate ${flags.join(" ")}`;
}

function without(faults: readonly Fault[], fault: Fault): readonly Fault[] {
  return faults.filter((each) => each !== fault);
}
