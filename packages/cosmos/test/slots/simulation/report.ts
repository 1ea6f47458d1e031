/** What many simulations came to. */
import type { SimulationResult } from "./simulation.ts";
import { LONGEST_ORPHANED_MS } from "./watch.ts";

/** Enough to see what is wrong. */
const MOST_VIOLATIONS = 50;

export function describeSimulations(results: readonly SimulationResult[]): string {
  const total = (of: (result: SimulationResult) => number): number =>
    results.reduce((sum, result) => sum + of(result), 0);
  const most = (of: (result: SimulationResult) => number): number => Math.max(...results.map(of));
  const kinds = [...new Set(results.flatMap(({ events }) => Object.keys(events)))].toSorted();
  const violations = results.flatMap(({ seed, violations }) =>
    violations.map((each) => `seed ${seed}: ${each}`),
  );
  return [
    `${results.length} fleets of up to ${most(({ processes }) => processes)} processes`,
    `${total(({ orchestrations }) => orchestrations)} orchestrations, each step committed once unless it says FAILED`,
    kinds.map((kind) => `${kind} ${total(({ events }) => events[kind] ?? 0)}`).join(", "),
    `${total(({ tablesWritten }) => tablesWritten)} tables written, ${total(({ slotsMoved }) => slotsMoved)} slots moved`,
    `a slot went unserved for ${most(({ longestOrphanedMs }) => longestOrphanedMs)} ms at most; allowed are ${LONGEST_ORPHANED_MS}`,
    `${violations.length} violations`,
    ...violations.slice(0, MOST_VIOLATIONS).map((violation) => `FAILED  ${violation}`),
  ].join("\n");
}
