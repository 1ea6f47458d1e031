/** Messages between the command and the processes that run seeds. */
import type { Fault } from "../faults/fault.ts";
import type { FaultCount } from "../faults/fault-log.ts";
import type { Limits, StoreName } from "../settings.ts";

/** Message that a process sends now and then while it runs a seed. */
export const ALIVE = "alive";

export interface Job {
  readonly seed: number;
  readonly store: StoreName;
  readonly limits?: Limits;
  readonly withTrace?: boolean;
}

export interface JobResult {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly digest: string;
  readonly steps: number;
  readonly virtualMs: number;
  readonly orchestrations: number;
  readonly activityRuns: number;
  readonly faults: readonly FaultCount[];
  readonly calls: readonly (readonly [string, number])[];
  readonly enabled: readonly Fault[];
  readonly servers: number;
  readonly programs: number;
  readonly cpuMs: number;
  /** Only where it was asked for. */
  readonly trace: readonly string[];
}
