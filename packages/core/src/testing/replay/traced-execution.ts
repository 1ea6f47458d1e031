/** The engine's execution, which also remembers where in the user's code each durable call was made. */

import { callerLocation } from "../../errors/source-location.ts";
import { type Action, isActionEvent, isRecordOf } from "../../replay/action.ts";
import { LiveExecution } from "../../replay/live-execution.ts";
import type { HistoryEvent } from "../../wire/event.ts";

export interface TracedCall {
  readonly action: Action;
  /** `file:line:column`, where the stack says. */
  readonly location: string | undefined;
}

export class TracedExecution extends LiveExecution {
  readonly #calls: TracedCall[] = [];
  #unrecorded: TracedCall[] = [];

  /** Calls that no event of the history fed so far records, in call order. */
  get unrecorded(): readonly TracedCall[] {
    return this.#unrecorded;
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

  override emit(action: Action): void {
    const traced = { action, location: callerLocation() };
    this.#calls.push(traced);
    this.#unrecorded.push(traced);
    super.emit(action);
  }

  override async apply(event: HistoryEvent): Promise<void> {
    await super.apply(event);
    if (!isActionEvent(event)) return;
    // The event was matched, so the first call that it can stand for is the one.
    const recorded = this.#unrecorded.find(({ action }) => isRecordOf(action, event, this.codec));
    this.#unrecorded = this.#unrecorded.filter((traced) => traced !== recorded);
  }
}
