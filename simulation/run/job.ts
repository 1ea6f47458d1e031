/** Messages between the command and the processes that run seeds. */
import type { Fault } from "../faults/fault.ts";
import type { Limits, StoreName } from "../settings.ts";
import type { RunResult } from "./simulate.ts";

/** Message that a process sends now and then while it runs a seed. */
export const ALIVE = "alive";

export interface Job {
  readonly seed: number;
  readonly store: StoreName;
  readonly limits?: Limits;
  readonly withTrace?: boolean;
}

export interface JobResult extends Omit<RunResult, "calls"> {
  readonly calls: readonly (readonly [string, number])[];
  readonly enabled: readonly Fault[];
  readonly servers: number;
  readonly cpuMs: number;
  /** Only where it was asked for. */
  readonly trace: readonly string[];
}
