/** One call of user code that history will answer: an activity, timer, child, wait or dequeue. */
import type { StepHandler } from "../../define/durable-call-options.ts";
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { U64 } from "../../wire/integer.ts";
import { inheritCallSite } from "./call-sites.ts";
import type { Content } from "./content.ts";
import { DurableTask } from "./durable-task.ts";
import type { CallKind, Settling } from "./kind.ts";
import type { Scope } from "./scope.ts";

export interface CallAnswers {
  /** Turns the recorded result into the task's value. May throw: the task then rejects. */
  readonly decode: (text: string) => unknown;
  /** Returns the value of a message, and why it does not fit, if so. Throws where that cannot be said. */
  readonly fit?: (text: string, isReplay: boolean) => Fit;
  /** The error that a recorded failure becomes; for kinds that can fail. */
  readonly failure?: (details: ErrorDetails) => Error;
  /** The handler of a step. */
  readonly step?: StepHandler | undefined;
}

/** A message, as its schema sees it. */
export interface Fit {
  /** Value after the schema; of a message that does not fit, as it is stored. */
  readonly value: unknown;
  readonly misfit?: string;
}

/** The answers of a call without a result. */
export const NO_RESULT: CallAnswers = { decode: () => undefined };

/** A call of the code before history has given it an event id. */
export interface Action {
  readonly kind: CallKind;
  readonly request: Content;
  /** Set for kinds that are answered. */
  readonly call: DurableCall | undefined;
}

export class DurableCall implements Settling {
  readonly kind: CallKind;
  readonly scope: Scope;
  readonly task: DurableTask<unknown>;
  readonly #answers: CallAnswers;
  readonly #onDrop: (call: DurableCall) => void;
  #dropped = false;
  /** `event_id` of the schedule event, once the call is bound to one. */
  eventId: U64 | undefined;

  constructor(kind: CallKind, answers: CallAnswers, scope: Scope, onDrop: (call: DurableCall) => void) {
    this.kind = kind;
    this.scope = scope;
    this.#answers = answers;
    this.#onDrop = onDrop;
    this.task = new DurableTask<unknown>(() => this.drop());
  }

  get step(): StepHandler | undefined {
    return this.#answers.step;
  }

  /** The code dropped the call before it was answered: its branch stopped, or its task was cancelled. */
  get dropped(): boolean {
    return this.#dropped;
  }

  /** Whether the code could still get the result, but has never awaited it. */
  get unawaited(): boolean {
    if (this.#dropped || !this.task.pending) return false;
    return !this.task.observed || !this.scope.awaited;
  }

  /** True if this settled the task, so that code may continue. */
  succeed(text: string): boolean {
    if (this.#dropped || !this.task.pending) return false;
    try {
      this.task.fulfil(this.#answers.decode(text));
    } catch (error) {
      this.task.reject(error);
    }
    return true;
  }

  /**
   * Settles the task with a message, unless it does not fit: then says why. What an earlier turn has delivered is delivered
   * again. Throws as `fit` does.
   */
  offer(text: string, isReplay: boolean): string | undefined {
    const { fit } = this.#answers;
    if (fit === undefined) {
      this.succeed(text);
      return undefined;
    }
    const { value, misfit } = fit(text, isReplay);
    if (misfit !== undefined && !isReplay) return misfit;
    this.task.fulfil(value);
    return undefined;
  }

  fail(details: ErrorDetails): boolean {
    if (this.#dropped || !this.task.pending) return false;
    const error = this.#answers.failure?.(details);
    if (error !== undefined) inheritCallSite(error, this);
    this.task.reject(error);
    return true;
  }

  drop(): void {
    if (this.#dropped || !this.task.pending) return;
    this.#dropped = true;
    this.#onDrop(this);
  }
}
