/**
 * The seam between the context and the running execution: everything that user code can read of its execution or ask
 * of it goes through a Recorder. The context depends on this interface only, so that another recorder can stand
 * between the two (the replay kit notes the line of each call this way).
 */
import type { Action } from "../calls/action.ts";
import type { CallAnswers, CallFamily, DurableCall } from "../calls/durable-call.ts";
import type { Scope } from "../calls/scope.ts";
import type { KvState } from "./kv-state.ts";
import type { Continuation, Identity, Surroundings } from "./program.ts";

export interface Recorder {
  readonly identity: Identity;
  readonly surroundings: Surroundings;
  readonly kv: KvState;
  /** The encoded custom status; `null` when there is none. */
  readonly status: string | null;
  /** The timestamp of the event that set the code going. */
  readonly nowMs: number;
  /** True while code runs that ran in an earlier turn already. */
  readonly isReplaying: boolean;
  /** Deterministic numbers in [0, 1). */
  random(): number;
  /** Refuses calls outside a turn by throwing (L1). False in a stopped scope, where calls record nothing. */
  enter(scope: Scope, what: string): boolean;
  /** A new call that history will answer. The scope stops with the branch that makes the call. */
  call(scope: Scope, family: CallFamily, answers: CallAnswers): DurableCall;
  /** Adds an action, in call order (L2). */
  emit(action: Action): void;
  /** Ends the scope and drops every unanswered call made in it. */
  stop(scope: Scope): void;
  /** The first continuation counts. */
  continueAs(next: Continuation): void;
  setStatus(text: string | null): void;
}
