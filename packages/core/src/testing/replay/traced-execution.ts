/**
 * The engine's execution, together with the line of the user's code from which each durable call was made. A
 * recorder between the context and the execution notes the lines; the execution itself runs as it does in a runtime.
 */
import { callerLocation } from "../../errors/source-location.ts";
import type { Action } from "../../replay/calls/action.ts";
import type { CallAnswers, CallFamily, DurableCall } from "../../replay/calls/durable-call.ts";
import type { Scope } from "../../replay/calls/scope.ts";
import type { KvState } from "../../replay/code/kv-state.ts";
import { LiveExecution, type LiveExecutionOptions } from "../../replay/code/live-execution.ts";
import type { Continuation, Identity, Surroundings } from "../../replay/code/program.ts";
import type { Recorder } from "../../replay/code/recorder.ts";
import { Context } from "../../replay/context/context.ts";

export interface TracedCall {
  readonly action: Action;
  /** `file:line:column`, where the stack says. */
  readonly location: string | undefined;
}

export class TracedExecution {
  readonly live: LiveExecution;
  readonly #calls: TracedCall[] = [];

  constructor(options: Omit<LiveExecutionOptions, "begin">) {
    const note = (action: Action): void => {
      this.#calls.push({ action, location: callerLocation() });
    };
    this.live = new LiveExecution({
      ...options,
      begin: (recorder, scope) => new Context(new TracingRecorder(recorder, note), scope),
    });
  }

  /** Calls that no event of the history fed so far records, in call order. */
  get unrecorded(): readonly TracedCall[] {
    const emitted = new Set(this.live.emittedActions);
    return this.#calls.filter(({ action }) => emitted.has(action));
  }

  /** Calls that the code awaits and nothing has answered. */
  get awaited(): readonly TracedCall[] {
    return this.#calls.filter(({ action }) => {
      if (!("call" in action)) return false;
      const { task, dropped } = action.call;
      return task.pending && task.observed && !dropped;
    });
  }

  /** The latest call, recorded or not. */
  get lastCall(): TracedCall | undefined {
    return this.#calls.at(-1);
  }
}

/** Passes everything on; `note` is told of each action first. */
class TracingRecorder implements Recorder {
  readonly #inner: Recorder;
  readonly #note: (action: Action) => void;

  constructor(inner: Recorder, note: (action: Action) => void) {
    this.#inner = inner;
    this.#note = note;
  }

  get identity(): Identity {
    return this.#inner.identity;
  }

  get surroundings(): Surroundings {
    return this.#inner.surroundings;
  }

  get kv(): KvState {
    return this.#inner.kv;
  }

  get status(): string | null {
    return this.#inner.status;
  }

  get nowMs(): number {
    return this.#inner.nowMs;
  }

  get isReplaying(): boolean {
    return this.#inner.isReplaying;
  }

  random(): number {
    return this.#inner.random();
  }

  enter(scope: Scope, what: string): boolean {
    return this.#inner.enter(scope, what);
  }

  call(scope: Scope, family: CallFamily, answers: CallAnswers): DurableCall {
    return this.#inner.call(scope, family, answers);
  }

  emit(action: Action): void {
    this.#note(action);
    this.#inner.emit(action);
  }

  stop(scope: Scope): void {
    this.#inner.stop(scope);
  }

  continueAs(next: Continuation): void {
    this.#inner.continueAs(next);
  }

  setStatus(text: string | null): void {
    this.#inner.setStatus(text);
  }
}
