/**
 * One attempt of a call with retries, as its schedule event records it: which one it is, and of which call
 * (docs/decisions/activities.md). Rust and older versions write no number and follow the rule of Rust. Such an attempt
 * keeps that rule, because history may already contain events that follow from it.
 */
import type { EventOf } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";

type Scheduled = EventOf<"ActivityScheduled">;

/** The data of an attempt when it is made. */
interface AttemptMarks {
  readonly number: number;
  readonly first: Attempt | undefined;
  readonly isNumbered: boolean;
  /** Recorded for timelines (docs/decisions/command-line.md). */
  readonly max: number | undefined;
  readonly runMs: number | undefined;
}

export class Attempt {
  readonly number: number;
  readonly #first: Attempt | undefined;
  readonly #isNumbered: boolean;
  readonly #max: number | undefined;
  /** The time limit of its run, which the worker keeps. */
  readonly runMs: number | undefined;
  #onUnlimited: (() => void) | undefined;
  #event: Pick<Scheduled, "event_id" | "attempt" | "key_execution" | "timeout_ms"> | undefined;

  constructor({ number, first, isNumbered, max, runMs }: AttemptMarks) {
    this.number = number;
    this.#first = first;
    this.#isNumbered = isNumbered;
    this.#max = max;
    this.runMs = runMs;
  }

  /** Calls back when history has the attempt without its limit: a version before recorded a timer for it instead. */
  whenUnlimited(callback: () => void): void {
    this.#onUnlimited = callback;
  }

  /** Whether the recorded attempt has its limit. */
  get isLimited(): boolean {
    return this.#event?.timeout_ms !== undefined;
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
  get marks(): Pick<Scheduled, "attempt" | "retry_of" | "max_attempts" | "key_execution" | "timeout_ms"> {
    return {
      ...(this.#isNumbered && { attempt: this.number }),
      ...(this.firstId !== undefined && { retry_of: this.firstId }),
      ...(this.#max !== undefined && { max_attempts: this.#max }),
      ...(this.runMs !== undefined && { timeout_ms: this.runMs }),
      ...(this.keyExecution !== undefined && { key_execution: this.keyExecution }),
    };
  }

  recordedAs({ event_id, attempt, key_execution, timeout_ms }: Scheduled): void {
    this.#event = {
      event_id,
      ...(timeout_ms !== undefined && { timeout_ms }),
      ...(attempt !== undefined && { attempt }),
      ...(key_execution !== undefined && { key_execution }),
    };
    if (this.runMs !== undefined && timeout_ms === undefined) this.#onUnlimited?.();
  }

  /** Whether timeouts are retried after this attempt, and marks on errors are respected. */
  get followsOurRules(): boolean {
    return this.#isNumbered && this.#event?.attempt !== undefined;
  }
}
