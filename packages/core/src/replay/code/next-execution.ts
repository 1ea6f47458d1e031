/** The request of the code to continue as new: the first call counts, and no call after it is carried out. */

import { noteCallSite } from "../calls/call-sites.ts";
import type { Continuation } from "../history/outgoing.ts";

/** A call after the request, for a warning. */
export interface IgnoredCall {
  /** The call as code writes it, such as `scheduleActivity("charge")`. */
  readonly what: string;
}

export class NextExecution {
  #continuation: Continuation | undefined;
  #ignored: IgnoredCall[] | undefined;

  get continuation(): Continuation | undefined {
    return this.#continuation;
  }

  get ignoredCalls(): readonly IgnoredCall[] {
    return this.#ignored ?? [];
  }

  ask(continuation: Continuation): void {
    this.#continuation = continuation;
  }

  /** A clean-up takes the place of the code. */
  withdraw(): void {
    this.#continuation = undefined;
  }

  /** Whether the call comes after the request; then it is noted. */
  ignores(what: string, program: object): boolean {
    if (this.#continuation === undefined) return false;
    const call = { what };
    noteCallSite(call, program);
    this.#ignored ??= [];
    this.#ignored.push(call);
    return true;
  }
}
