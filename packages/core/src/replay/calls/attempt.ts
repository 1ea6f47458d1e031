/**
 * One attempt of a call with retries, as its schedule event records it: which one it is, and of which call
 * (docs/decisions/0024). Rust and older versions write no number and follow the rule of Rust. Such an attempt keeps
 * that rule, because history may already contain events that follow from it.
 */
import type { EventOf } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";

type Scheduled = EventOf<"ActivityScheduled">;

export class Attempt {
  readonly number: number;
  readonly #first: Attempt | undefined;
  readonly #isNumbered: boolean;
  readonly #max: number | undefined;
  #event: Pick<Scheduled, "event_id" | "attempt" | "key_execution"> | undefined;

  /** `max` is recorded for timelines (docs/decisions/0039). */
  constructor(number: number, first: Attempt | undefined, isNumbered: boolean, max: number | undefined) {
    this.number = number;
    this.#first = first;
    this.#isNumbered = isNumbered;
    this.#max = max;
  }

  /** The id of the first attempt's schedule event; `undefined` in the first attempt itself. */
  get firstId(): U64 | undefined {
    return this.#first?.eventId;
  }

  get eventId(): U64 | undefined {
    return this.#event?.event_id;
  }

  /** The execution in the key of the call, if an operator has taken the first attempt over from an earlier one. */
  get keyExecution(): U64 | undefined {
    return this.#first?.recordedKeyExecution;
  }

  get recordedKeyExecution(): U64 | undefined {
    return this.#event?.key_execution;
  }

  /** The fields of its schedule event. */
  get marks(): Pick<Scheduled, "attempt" | "retry_of" | "max_attempts" | "key_execution"> {
    return {
      ...(this.#isNumbered && { attempt: this.number }),
      ...(this.firstId !== undefined && { retry_of: this.firstId }),
      ...(this.#max !== undefined && { max_attempts: this.#max }),
      ...(this.keyExecution !== undefined && { key_execution: this.keyExecution }),
    };
  }

  recordedAs({ event_id, attempt, key_execution }: Scheduled): void {
    this.#event = {
      event_id,
      ...(attempt !== undefined && { attempt }),
      ...(key_execution !== undefined && { key_execution }),
    };
  }

  /** Whether timeouts are retried after this attempt, and marks on errors are respected. */
  get followsOurRules(): boolean {
    return this.#isNumbered && this.#event?.attempt !== undefined;
  }
}
