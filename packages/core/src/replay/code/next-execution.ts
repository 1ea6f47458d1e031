/** The request of the code to continue as new: the first call counts, and nothing after it is executed. */
import type { DurableCall } from "../calls/durable-call.ts";
import type { Continuation } from "../history/outgoing.ts";

/** Calls after the request to continue as new, for warnings. */
export interface AfterContinuation {
  /** Whether it asked again. */
  readonly askedAgain: boolean;
  /** Calls that it made; they are never executed. */
  readonly calls: readonly DurableCall[];
}

export class NextExecution implements AfterContinuation {
  #continuation: Continuation | undefined;
  #calls: DurableCall[] | undefined;
  askedAgain = false;

  get continuation(): Continuation | undefined {
    return this.#continuation;
  }

  get calls(): readonly DurableCall[] {
    return this.#calls ?? [];
  }

  ask(continuation: Continuation): void {
    if (this.#continuation !== undefined) this.askedAgain = true;
    this.#continuation ??= continuation;
  }

  /** A clean-up takes the place of the code. */
  withdraw(): void {
    this.#continuation = undefined;
  }

  noteCall(call: DurableCall): void {
    if (this.#continuation === undefined) return;
    this.#calls ??= [];
    this.#calls.push(call);
  }
}
