/** The orchestrations of a stress run. */
import type { AnyActivity, AnyOrchestration, OrchestrationDefinition } from "@duroxide-ts/core";
import type { StressSettings } from "./options.ts";

export interface Scenario {
  /** Name in the report. */
  readonly name: string;
  readonly settings: StressSettings;
  /** Configuration in the comparison table, such as "5 tasks". */
  readonly configuration: string;
  /** Started again and again, with a number as its input. */
  readonly root: OrchestrationDefinition<number, unknown>;
  readonly orchestrations: readonly AnyOrchestration[];
  readonly activities: readonly AnyActivity[];
  /** Returns the result that the root must have for a number. */
  readonly expected: (number: number) => unknown;
}
