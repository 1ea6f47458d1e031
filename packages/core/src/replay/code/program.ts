/** What an execution is and what it is run with: the types that the layers of replay share. */
import type { Clock } from "../../contract/clock.ts";
import type { Logger } from "../../define/logger.ts";
import type { OrchestrationHandler } from "../../define/orchestration-context.ts";
import type { StandardSchema } from "../../define/standard-schema.ts";
import type { GuardPolicy } from "../../guard/open-turns.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";
import type { StrayCode } from "./stray-code.ts";

/** A registered orchestration, as far as running it goes. */
export interface Program {
  readonly name: string;
  readonly version: string;
  readonly schema: StandardSchema<unknown, unknown> | undefined;
  readonly handler: OrchestrationHandler<unknown, unknown>;
}

/** Which execution it is, and the code that it runs. */
export interface Identity {
  readonly instanceId: string;
  readonly executionId: number;
  readonly program: Program;
}

/** What the engine is given instead of reaching for it. */
export interface Surroundings {
  readonly clock: Clock;
  readonly codec: NamingCodec;
  readonly logger: Logger;
  /** What becomes of calls whose result differs from run to run. */
  readonly guard: GuardPolicy;
  /** Whether failures are stored with stacks; true by default. */
  readonly storeStacks?: boolean;
  /**
   * Is told at once, and once for each execution in memory, that code went on although no turn was running: it waited
   * for something that is not durable. Where the execution stays in memory, its next turn fails.
   */
  readonly onStrayCode?: (stray: StrayCode) => void;
}

/** How the orchestration function has ended. */
export type Outcome =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown };

/** The fields that every log line of an execution has. */
export function identityFields({ instanceId, executionId, program }: Identity): Record<string, unknown> {
  return {
    instance_id: instanceId,
    execution_id: executionId,
    orchestration_name: program.name,
    orchestration_version: program.version,
  };
}
