/**
 * The interface between the context and the running execution. User code reads its execution only through RunningCode,
 * and makes durable calls only through a Recorder. The context depends on these two interfaces only, so that a recorder
 * can be wrapped: the replay kit notes the line of each call in this way.
 */
import type { KvEntry } from "../../contract/provider.ts";
import type { CleanUpFunction, OrchestrationContext } from "../../define/orchestration-context.ts";
import type { Tags } from "../../wire/tags.ts";
import type { Content } from "../calls/content.ts";
import type { CallAnswers, DurableCall } from "../calls/durable-call.ts";
import type { CallKind } from "../calls/kind.ts";
import type { Scope } from "../calls/scope.ts";
import type { Continuation } from "../history/outgoing.ts";
import type { CleanUps } from "./clean-up.ts";
import type { Decisions } from "./decisions.ts";
import type { KvState } from "./kv-state.ts";
import type { Identity, Surroundings } from "./program.ts";
import type { Questions } from "./questions.ts";
import type { StreamWrites } from "./stream-writes.ts";

/** Makes durable calls, in call order. */
export interface Recorder {
  /** Makes a call that history will answer. It is dropped when its scope stops. */
  ask<R extends Content>(kind: CallKind<R>, request: R, scope: Scope, answers: CallAnswers): DurableCall;
  /** Makes a call without an answer. */
  emit<R extends Content>(kind: CallKind<R>, request: R): void;
}

/** The state that the context reads of its execution, and changes that take effect at once. */
export interface RunningCode {
  readonly identity: Identity;
  readonly surroundings: Surroundings;
  readonly kv: KvState;
  readonly decisions: Decisions;
  readonly questions: Questions;
  readonly cleanUps: CleanUps;
  /** The values that the code writes to streams; absent until it does. */
  streams: StreamWrites | undefined;
  /** The timestamp of the event that the code last received. */
  readonly nowMs: number;
  readonly scheduled: OrchestrationContext["scheduled"];
  /** True while the code repeats steps of an earlier turn. */
  readonly isReplaying: boolean;
  /** The encoded custom status; `null` when there is none. */
  status: string | null;
  /** Deterministic numbers in [0, 1). */
  random(): number;
  /** Throws for calls outside a turn (live-execution.L1). False in a stopped scope, where calls record nothing. */
  enter(scope: Scope, what: string): boolean;
  /** Ends the scope and drops every unanswered call made in it. */
  stop(scope: Scope): void;
  /** The first continuation counts. */
  continueAs(next: Continuation): void;
  /** The tags of the instance, as the code has set them. */
  tags: Tags;
  /** Registers a function for a cancellation from here on; returns what withdraws it. */
  onCancel(cleanUp: CleanUpFunction, timeoutMs: number | undefined): () => void;
}

/** Creates the context for the call of the orchestration function. */
export type Begin = (code: RunningCode, recorder: Recorder, scope: Scope) => OrchestrationContext;

/** The parts from which an execution is made. */
export interface LiveExecutionOptions {
  readonly identity: Identity;
  readonly surroundings: Surroundings;
  readonly kvSnapshot: ReadonlyMap<string, KvEntry>;
  readonly begin: Begin;
}
