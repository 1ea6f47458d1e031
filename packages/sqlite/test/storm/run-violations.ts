/**
 * Faults that the side logs show, however slow the machine is:
 *
 * - run-violations.R1: The outcome of an activity is stored twice.
 * - run-violations.R2: An activity begins to run after its outcome was stored. A process that stops between its check of
 *   the lock and the first line of the handler continues with that line, so each stall excuses one such run.
 * - run-violations.R3: An activity begins to run a second time while the lock of the first run must still be valid:
 *   within half a lease, unless it was given back, or the first process stood still between lock and run.
 */
import type { ActivityEvent, Recorded, Stall } from "./side-log.ts";

/** Longer than a lease and a freeze. */
const NEAR_MS = 15_000;

/** Each with everything that was noted of the activity. */
export function runViolations({ events, stalls }: Recorded, leaseMs: number): string[] {
  const byActivity = Map.groupBy(events, ({ activity }) => activity);
  const unusedStalls = new Set(stalls);
  return [...byActivity].flatMap(([activity, own]) => {
    const sorted = own.toSorted((a, b) => a.atMs - b.atMs);
    return [
      ...storedTwice(sorted),
      ...ranAfterwards(sorted, unusedStalls),
      ...ranTwiceAtOnce(sorted, stalls, leaseMs),
    ].map(
      (what) =>
        `${activity} ${what}; noted: ${[...sorted.map(describe), ...near(sorted, stalls)].join(", ")}`,
    );
  });
}

function storedTwice(events: readonly ActivityEvent[]): string[] {
  const acks = events.filter(({ kind }) => kind === "acked");
  return acks.length > 1 ? [`was stored ${acks.length} times`] : [];
}

/** Takes the stalls that excuse a run from the set. */
function ranAfterwards(events: readonly ActivityEvent[], unusedStalls: Set<Stall>): string[] {
  const ack = events.find(({ kind }) => kind === "acked");
  if (ack === undefined) return [];
  const late = events.filter(({ kind, atMs }) => kind === "began" && atMs > ack.atMs);
  return late.flatMap((run) => {
    const excuse = [...unusedStalls].find(
      ({ process, fromMs, toMs }) => process === run.process && fromMs < ack.atMs && run.atMs <= toMs,
    );
    return excuse !== undefined && unusedStalls.delete(excuse)
      ? []
      : [`ran after it was stored, at ${run.atMs}`];
  });
}

function ranTwiceAtOnce(
  events: readonly ActivityEvent[],
  stalls: readonly Stall[],
  leaseMs: number,
): string[] {
  const runs = events.filter(({ kind }) => kind === "began");
  return runs.slice(1).flatMap((second, index) => {
    const first = runs[index];
    if (first === undefined || second.atMs - first.atMs >= leaseMs / 2) return [];
    const wasGivenBack = events.some(
      ({ kind, atMs }) => kind === "abandoned" && atMs >= first.atMs && atMs <= second.atMs,
    );
    const stoodStill = stalls.some(
      ({ process, fromMs, toMs }) =>
        process === first.process && toMs > first.atMs - leaseMs && fromMs < second.atMs,
    );
    return wasGivenBack || stoodStill ? [] : [`ran twice at once, at ${first.atMs} and ${second.atMs}`];
  });
}

/** The stalls of the processes that had the activity, while it existed. */
function near(events: readonly ActivityEvent[], stalls: readonly Stall[]): string[] {
  const times = events.map(({ atMs }) => atMs);
  const processes = new Set(events.map(({ process }) => process));
  return stalls
    .filter(({ process }) => processes.has(process))
    .filter(({ fromMs, toMs }) => toMs >= Math.min(...times) - NEAR_MS && fromMs <= Math.max(...times))
    .map(({ process, fromMs, toMs }) => `stalled from ${fromMs} to ${toMs} in ${process}`);
}

function describe({ kind, process, atMs }: ActivityEvent): string {
  return `${kind} at ${atMs} in ${process}`;
}
