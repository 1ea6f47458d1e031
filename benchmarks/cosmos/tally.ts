/** Counts requests and their charges. Requests that are made whether or not there is work are left out. */
import type { RequestInfo } from "@duroxide-ts/cosmos";
import { round } from "../figures.ts";

/** Sums over several requests, or means over several runs. */
export interface Tally {
  readonly requests: number;
  readonly charge: number;
  /** Requests by the operation that made them and their kind. */
  readonly by_operation: Readonly<Record<string, number>>;
}

/** Operations of a client that reads a status, and of processes that have nothing to do. */
const WITHOUT_WORK: readonly string[] = ["getInstanceStatus", "listBlocked", "renewMembership", "reconcile"];

export function isIdle({ operation, kind, results }: RequestInfo): boolean {
  return WITHOUT_WORK.includes(operation) || (kind === "scan" && results === 0);
}

export function tallyOf(log: readonly RequestInfo[]): Tally {
  const counted = log.filter((info) => !isIdle(info));
  const kinds = Map.groupBy(counted, ({ operation, kind }) => `${operation} ${kind}`);
  return {
    requests: counted.length,
    charge: counted.reduce((sum, { charge }) => sum + charge, 0),
    by_operation: Object.fromEntries([...kinds].map(([name, { length }]) => [name, length])),
  };
}

/** All of them together, for each of so many runs. */
export function meanOf(tallies: readonly Tally[], runs: number): Tally {
  const names = new Set(tallies.flatMap((tally) => Object.keys(tally.by_operation)));
  const mean = (of: (tally: Tally) => number): number =>
    round(tallies.reduce((sum, tally) => sum + of(tally), 0) / runs);
  return {
    requests: mean(({ requests }) => requests),
    charge: mean(({ charge }) => charge),
    by_operation: Object.fromEntries(
      [...names].map((name) => [name, mean((tally) => tally.by_operation[name] ?? 0)]),
    ),
  };
}
