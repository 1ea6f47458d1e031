/** Figures that are counts. The store reads all that matches for them: what runs, and what failed in the last day. */
import type { InstanceCount, InstanceFilter } from "@duroxide-ts/core/stores";
import { type OpenFigures, unitsOf } from "./open-figures.ts";
import type { Source } from "./source.ts";
import { storeFilter } from "./store-filter.ts";

const DAY_MS = 24 * 3_600_000;

export function failedInDay(nowMs: number): InstanceFilter {
  return { ...storeFilter({ state: "failed" }, nowMs), updatedFromMs: nowMs - DAY_MS };
}

export async function countedFigures({ admin }: Source, nowMs: number): Promise<OpenFigures> {
  const [running, failed] = await Promise.all([
    admin.count(storeFilter({ state: "running" }, nowMs), ["name", "version"]),
    admin.count(failedInDay(nowMs)),
  ]);
  return {
    running: { count: sumOf(running.counts) },
    failedToday: { count: sumOf(failed.counts) },
    runningBy: running.counts,
    requestUnits: unitsOf([running, failed]),
  };
}

function sumOf(counts: readonly InstanceCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
