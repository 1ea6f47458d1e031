/** What the orchestrations of a stress run do. */
import type { AnyActivity, AnyOrchestration, OrchestrationDefinition } from "@duroxide-ts/core";
import type { StressSettings } from "./options.ts";

export interface Scenario {
  /** For the report. */
  readonly name: string;
  readonly settings: StressSettings;
  /** For the comparison table, such as "5 tasks". */
  readonly configuration: string;
  /** Started again and again, with a number as its input. */
  readonly root: OrchestrationDefinition<number, unknown>;
  readonly orchestrations: readonly AnyOrchestration[];
  readonly activities: readonly AnyActivity[];
  /** What the root must return for a number. */
  readonly expected: (number: number) => unknown;
}
