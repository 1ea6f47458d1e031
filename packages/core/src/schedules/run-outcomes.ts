/** How the runs of a schedule have ended. */
import type { Provider } from "../contract/provider.ts";
import { hasEnded } from "../contract/status.ts";
import { waitingStart } from "../contract/waiting-start.ts";
import type { RunOutcome } from "./schedule-turn.ts";
import type { OpenRun } from "./stored-schedule.ts";

/** A start may be on its way for so long, ms. */
const START_MS = 30_000;

/** The outcomes of those of the runs that have ended. `told`: the runs that said so, or were deleted. */
export async function runOutcomes(
  provider: Provider,
  runs: readonly OpenRun[],
  nowMs: number,
  told: readonly string[] = [],
): Promise<ReadonlyMap<string, RunOutcome>> {
  const found = await Promise.all(
    runs.map(async (run) => {
      const atMs = told.includes(run.id) ? Number.NEGATIVE_INFINITY : run.atMs;
      return [run.id, await outcomeOf(provider, { ...run, atMs }, nowMs)] as const;
    }),
  );
  return new Map(found.flatMap(([id, outcome]) => (outcome === undefined ? [] : [[id, outcome] as const])));
}

async function outcomeOf(
  provider: Provider,
  { id, atMs }: OpenRun,
  nowMs: number,
): Promise<RunOutcome | undefined> {
  const status = await provider.getInstanceStatus(id);
  if (status !== undefined) {
    if (!hasEnded(status.status)) return undefined;
    return status.status === "Completed" ? "completed" : "failed";
  }
  if (nowMs < atMs + START_MS) return undefined;
  return (await waitingStart(provider.admin, id)) === undefined ? "gone" : undefined;
}
