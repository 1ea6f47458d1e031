/** Defines a step of the check: gates that must hold, expectations that may differ, and facts that are only noted. */
import type { Notes } from "./notes.ts";
import type { Scale } from "./scale.ts";
import type { Stage } from "./stage.ts";

/** Phases that have a number, and those that only a flag asks for. */
export type Phase = 0 | 1 | 2 | 3 | "entra" | "split" | "failover";

export interface StepDefinition<Gate extends string> {
  /** The phase, and within phase 2 the number of the probe: "2.7". */
  readonly id: string;
  readonly phase: Phase;
  readonly title: string;
  /**
   * Properties without which the provider is not safe, by name, as sentences. The first that does not hold ends the
   * check.
   */
  readonly gates: Readonly<Record<Gate, string>>;
  /** Request units, estimated before anything is sent. */
  readonly estimateRu: (scale: Scale) => number;
  /** Dollars beyond request units, such as throughput that is provisioned for an hour. */
  readonly estimateUsd?: number;
  /** Whether its requests can be sent again, in this order, to another endpoint: small, one by one, without waiting. */
  readonly isRecorded?: boolean;
  run(stage: Stage, notes: Notes<Gate>): Promise<void>;
}

export interface Step extends StepDefinition<string> {}

/** Keeps the names of the gates for the notes of the step. */
export function step<const Gate extends string>(definition: StepDefinition<Gate>): Step {
  return definition;
}

/** Choice of the steps that run. */
export interface Selection {
  readonly phases: ReadonlySet<Phase>;
  /** Ids of phase 2; undefined for all. */
  readonly probes: readonly string[] | undefined;
}
