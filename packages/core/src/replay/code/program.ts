/** The identity and the environment of an execution: the types that the layers of replay share. */
import type { Clock } from "../../contract/clock.ts";
import type { StepHandler } from "../../define/durable-call-options.ts";
import type { Logger } from "../../define/logger.ts";
import type { OrchestrationHandler } from "../../define/orchestration-context.ts";
import { type StandardSchema, validateStored } from "../../define/standard-schema.ts";
import type { GuardPolicy } from "../../guard/open-turns.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";
import type { StrayCode } from "./code-outside-turn.ts";

/** The part of a registered orchestration that is needed to run it. */
export interface Program {
  readonly name: string;
  readonly version: string;
  readonly schema: StandardSchema<unknown, unknown> | undefined;
  readonly customStatus?: StandardSchema<unknown, unknown> | undefined;
  readonly handler: OrchestrationHandler<unknown, unknown>;
  /** Whether a mistake of the code blocks an instance, as it does by default, or fails it. */
  readonly onDefect?: "block" | "fail" | undefined;
  /** The handler that runs instead of a step's own, in a test environment. */
  readonly handlerOfStep?: (name: string, own: StepHandler) => StepHandler;
}

/** The ids of the execution, and its code. */
export interface Identity {
  readonly instanceId: string;
  readonly executionId: number;
  readonly program: Program;
}

/** The dependencies of the engine, passed as parameters. */
export interface Surroundings {
  readonly clock: Clock;
  readonly codec: NamingCodec;
  readonly logger: Logger;
  /** The policy for calls whose result differs from run to run. */
  readonly guard: GuardPolicy;
  /** Whether the events of calls name the line that made them; false by default. */
  readonly sourceLines?: boolean;
  /**
   * Called at once, and once for each execution in memory, when code continues while no turn is running, because it
   * awaited something that is not durable. If the execution stays in memory, its next turn fails.
   */
  readonly onStrayCode?: (stray: StrayCode) => void;
  /** The key of the limits of a registered activity, for calls by its name. */
  readonly limitOfActivity?: ((name: string) => string | undefined) | undefined;
  /** Called when the code of an execution that has called steps records nothing any more. */
  readonly onStepsOver?: (identity: Identity) => void;
}

/** The result or error of the orchestration function. */
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

/** The stored input after the schema of the program. */
export function decodedInput({ schema, name }: Program, codec: NamingCodec, input: string): unknown {
  const decoded = codec.decode(input);
  return schema === undefined ? decoded : validateStored(schema, decoded, `input of orchestration "${name}"`);
}
