/**
 * The seam between the context and the running execution. Everything that user code can read of its execution goes
 * through RunningCode, everything that it asks of history through a Recorder. The context depends on these two
 * interfaces only, so that another recorder can stand in between: the replay kit notes the line of each call this way.
 */
import type { OrchestrationContext } from "../../define/orchestration-context.ts";
import type { Content } from "../calls/content.ts";
import type { CallAnswers, DurableCall } from "../calls/durable-call.ts";
import type { CallKind } from "../calls/kind.ts";
import type { Scope } from "../calls/scope.ts";
import type { Continuation } from "../history/outgoing.ts";
import type { KvState } from "./kv-state.ts";
import type { Identity, Surroundings } from "./program.ts";

/** Asks history for something, in call order (L2). */
export interface Recorder {
  /** For what history will answer. The call is dropped when its scope stops. */
  ask<R extends Content>(kind: CallKind<R>, request: R, scope: Scope, answers: CallAnswers): DurableCall;
  /** For what has no answer. */
  emit<R extends Content>(kind: CallKind<R>, request: R): void;
}

/** What the context reads of its execution, and what takes effect at once. */
export interface RunningCode {
  readonly identity: Identity;
  readonly surroundings: Surroundings;
  readonly kv: KvState;
  /** The timestamp of the event that set the code going. */
  readonly nowMs: number;
  /** True while code runs that ran in an earlier turn already. */
  readonly isReplaying: boolean;
  /** The encoded custom status; `null` when there is none. */
  readonly status: string | null;
  /** Deterministic numbers in [0, 1). */
  random(): number;
  /** Refuses calls outside a turn by throwing (L1). False in a stopped scope, where calls record nothing. */
  enter(scope: Scope, what: string): boolean;
  /** Ends the scope and drops every unanswered call made in it. */
  stop(scope: Scope): void;
  /** The first continuation counts. */
  continueAs(next: Continuation): void;
  setStatus(text: string | null): void;
}

/** Makes the context that the orchestration function is called with. */
export type Begin = (code: RunningCode, recorder: Recorder, scope: Scope) => OrchestrationContext;
