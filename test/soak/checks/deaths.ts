/** Explains what ended the processes of a soak. */

import type { Death } from "../../storm/processes.ts";
import type { Noted } from "../../storm/side-log.ts";
import { MAX_ATTEMPTS } from "../settings.ts";

/** Number of characters that are shown of what a process wrote before its end. */
const MOST_WORDS = 400;

/**
 * A killer is given up after its attempts and three runs alone (docs/decisions/attempts-and-blocked-work.md). The
 * process that has the instance in memory runs a turn without a lock, which no store counts
 * (docs/decisions/cosmos-turns.md).
 */
export const MOST_DEATHS = { activity: MAX_ATTEMPTS + 3, turn: MAX_ATTEMPTS + 4 } as const;

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
  return new Map([...killingsOf(notes)].map(([instance, all]) => [instance, all.length]));
}

/** Killers that ended more processes than their attempts allow. */
export function tooManyKillings(notes: readonly Noted[]): readonly string[] {
  return [...killingsOf(notes)].flatMap(([instance, all]) => {
    const most = Math.max(...all.map(({ by }) => MOST_DEATHS[by]));
    return all.length > most
      ? [`${instance} ended ${all.length} processes, at most ${most} are allowed`]
      : [];
  });
}

type Killing = Extract<Noted, { kind: "killer" }>;

function killingsOf(notes: readonly Noted[]): ReadonlyMap<string, readonly Killing[]> {
  const killings = notes.flatMap((note) => (note.kind === "killer" ? [note] : []));
  return Map.groupBy(killings, ({ instance }) => instance);
}
