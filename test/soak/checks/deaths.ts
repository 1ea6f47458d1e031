/** Who ended the processes of a soak. */
import { MAX_ATTEMPTS } from "../settings.ts";
import type { Death } from "../supervise/supervisor.ts";
import type { Noted } from "../worker/side-log.ts";

/** Of what a process wrote before its end. */
const MOST_WORDS = 400;

/** A killer is given up after its attempts and two runs alone (docs/decisions/0017). */
export const MOST_DEATHS_BY_A_KILLER = MAX_ATTEMPTS + 2;

/** Processes that ended, and neither the soak nor a killer says that it has done it; those that ended alike together. */
export function unexplainedDeaths(deaths: readonly Death[], notes: readonly Noted[]): readonly string[] {
  const killed = new Set(notes.filter(({ kind }) => kind === "killer").map(({ process }) => process));
  const unexplained = deaths.filter(({ process, wasKilled }) => !wasKilled && !killed.has(process));
  return [...Map.groupBy(unexplained, ({ lastWords }) => lastWords.slice(0, MOST_WORDS))].flatMap(
    ([words, all]) =>
      all.map(({ process }, index) => `${process} ended${index === 0 ? `, ${words}` : " alike"}`),
  );
}

export function countKillings(notes: readonly Noted[]): ReadonlyMap<string, number> {
  const killings = notes.flatMap((note) => (note.kind === "killer" ? [note] : []));
  return new Map(
    [...Map.groupBy(killings, ({ instance }) => instance)].map(([instance, all]) => [instance, all.length]),
  );
}

/** Killers that ended more processes than their attempts allow. */
export function tooManyKillings(notes: readonly Noted[]): readonly string[] {
  return [...countKillings(notes)]
    .filter(([, count]) => count > MOST_DEATHS_BY_A_KILLER)
    .map(
      ([instance, count]) =>
        `${instance} ended ${count} processes, at most ${MOST_DEATHS_BY_A_KILLER} are allowed`,
    );
}
