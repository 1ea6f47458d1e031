/**
 * What the side logs show to be wrong, however slow the machine is:
 *
 * R1  The outcome of an activity is stored twice.
 * R2  An activity begins to run after its outcome was stored.
 * R3  An activity begins to run a second time while the lock of the first run must still be valid: within half a
 *     lease, unless it was given back, or the first process stood still between lock and run.
 */
import type { ActivityEvent, Recorded, Stall } from "./side-log.ts";

export function runViolations({ events, stalls }: Recorded, leaseMs: number): string[] {
  const byActivity = Map.groupBy(events, ({ activity }) => activity);
  return [...byActivity].flatMap(([activity, own]) => {
    const sorted = own.toSorted((a, b) => a.atMs - b.atMs);
    return [...storedTwice(sorted), ...ranAfterwards(sorted), ...ranTwiceAtOnce(sorted, stalls, leaseMs)].map(
      (what) => `${activity} ${what}`,
    );
  });
}

function storedTwice(events: readonly ActivityEvent[]): string[] {
  const acks = events.filter(({ kind }) => kind === "acked");
  return acks.length > 1 ? [`was stored ${acks.length} times: ${acks.map(describe).join(", ")}`] : [];
}

function ranAfterwards(events: readonly ActivityEvent[]): string[] {
  const ack = events.find(({ kind }) => kind === "acked");
  if (ack === undefined) return [];
  const late = events.filter(({ kind, atMs }) => kind === "began" && atMs > ack.atMs);
  return late.map((run) => `ran after it was stored: ${describe(ack)}, ${describe(run)}`);
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
    return wasGivenBack || stoodStill ? [] : [`ran twice at once: ${describe(first)}, ${describe(second)}`];
  });
}

function describe({ kind, process, atMs }: ActivityEvent): string {
  return `${kind} at ${atMs} in ${process}`;
}
