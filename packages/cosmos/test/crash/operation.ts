/** An operation of the provider, as the matrix exposes it to crashes. */
import type { Document } from "../invariants/documents.ts";
import type { Stage } from "../support/stage.ts";

export interface Operation<Prepared = unknown> {
  /** Name in reports. */
  readonly name: string;
  /** Everything up to the operation, in the process that is going to die. */
  prepare(stage: Stage): Promise<Prepared>;
  /** The operation. */
  act(stage: Stage, prepared: Prepared): Promise<unknown>;
  /** Returns what is wrong when the survivors have dealt with unfinished work and done nothing else yet. */
  halfway?(documents: readonly Document[]): readonly string[];
  /** Repeats the call, as a caller does that learned that the process died: for operations that no message repeats. */
  repeat?(stage: Stage): Promise<unknown>;
}

/** Keeps the type of what is prepared to itself. */
export function operation<Prepared>(exposed: Operation<Prepared>): Operation {
  return exposed as Operation;
}
