/** The faults that a seed may have. Each seed has a part of them only, so that one does not hide what another would show. */

export const PROCESS_FAULTS = [
  "kill",
  "freeze",
  "deploy",
  "skew",
  "client-kill",
  "drift",
  "jump",
  "observers",
] as const;

export const COSMOS_FAULTS = [
  "slow",
  "lost-requests",
  "lost-answers",
  "resets",
  "cut",
  "refusals",
  "operation-refusals",
  "stale-reads",
  "short-pages",
  "partitions",
  "failover",
  "throttled-partition",
  "outage",
  "lagging-replica",
  "death-at-batch",
] as const;

/** Faults in few seeds, together with a program that they hit. */
export const STAGING_FAULTS = ["slow-pieces"] as const;

export const SQLITE_FAULTS = [
  "busy",
  "disk-full",
  "io-error",
  "power-loss",
  "death-at-write",
  "file-replaced",
] as const;

/** Faults with which what a process takes for the time may differ from what others take for it. */
export const CLOCK_FAULTS: readonly Fault[] = ["skew", "drift", "jump"];

export type ProcessFault = (typeof PROCESS_FAULTS)[number];
export type CosmosFault = (typeof COSMOS_FAULTS | typeof STAGING_FAULTS)[number];
export type SqliteFault = (typeof SQLITE_FAULTS)[number];
export type Fault = ProcessFault | CosmosFault | SqliteFault;
