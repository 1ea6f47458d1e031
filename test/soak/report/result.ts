/** The result of a soak. */
import type { Violation } from "../checks/violation.ts";
import type { Instance } from "../load/instance.ts";
import type { SoakOptions } from "../settings.ts";
import type { Death } from "../supervise/supervisor.ts";

export interface SoakResult {
  readonly options: SoakOptions;
  readonly violations: readonly Violation[];
  readonly instances: readonly Pick<Instance, "plan" | "end">[];
  /** Number of runs of innocent activities. */
  readonly runs: number;
  readonly activities: number;
  readonly deaths: readonly Death[];
  readonly freezes: number;
  /** How many processes each killer has ended. */
  readonly killings: ReadonlyMap<string, number>;
  /** How often the store had each fault. */
  readonly faults: ReadonlyMap<string, number>;
  readonly deployments: number;
  /** How long the instances took to end once nothing was interrupted any more. */
  readonly settledMs: number;
  /** Folder of side logs and warnings, if there are violations. */
  readonly folder?: string;
}
