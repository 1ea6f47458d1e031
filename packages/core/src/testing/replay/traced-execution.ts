/**
 * The engine's execution, together with the line of the user's code from which each durable call was made. A
 * recorder between the context and the execution notes the lines; the execution itself runs as it does in a runtime.
 */
import { callerLocation } from "../../errors/source-location.ts";
import type { Content } from "../../replay/calls/content.ts";
import type { DurableCall } from "../../replay/calls/durable-call.ts";
import type { CallKind } from "../../replay/calls/kind.ts";
import { LiveExecution } from "../../replay/code/live-execution.ts";
import type { LiveExecutionOptions, Recorder } from "../../replay/code/recorder.ts";
import { Context } from "../../replay/context/context.ts";

export interface TracedCall {
  readonly kind: CallKind;
  readonly request: Content;
  /** Set for kinds that are answered. */
  readonly call: DurableCall | undefined;
  /** `file:line:column`, where the stack says. */
  readonly location: string | undefined;
}

export class TracedExecution {
  readonly live: LiveExecution;
  readonly #calls: TracedCall[] = [];

  constructor(options: Omit<LiveExecutionOptions, "begin">) {
    this.live = new LiveExecution({
      ...options,
      begin: (code, recorder, scope) => new Context(code, this.#noting(recorder), scope),
    });
  }

  /** A recorder that notes each call and passes it on. */
  #noting(recorder: Recorder): Recorder {
    return {
      ask: (kind, request, scope, answers) => {
        const call = recorder.ask(kind, request, scope, answers);
        this.#note(kind as CallKind, request, call);
        return call;
      },
      emit: (kind, request) => {
        recorder.emit(kind, request);
        this.#note(kind as CallKind, request, undefined);
      },
    };
  }

  #note(kind: CallKind, request: Content, call: DurableCall | undefined): void {
    this.#calls.push({ kind, request, call, location: callerLocation() });
  }

  /** Calls that no event of the history fed so far records, in call order. */
  get unrecorded(): readonly TracedCall[] {
    const emitted = new Set(Array.from(this.live.emittedActions, ({ request }) => request));
    return this.#calls.filter(({ request }) => emitted.has(request));
  }

  /** Unanswered calls that the code awaits. */
  get awaited(): readonly TracedCall[] {
    return this.#calls.filter(({ call }) => call?.task.pending && call.task.observed && !call.dropped);
  }

  /** The latest call, recorded or not. */
  get lastCall(): TracedCall | undefined {
    return this.#calls.at(-1);
  }
}
