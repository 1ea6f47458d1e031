/**
 * Owns the rejections of one execution's code that the code has not awaited yet.
 *
 * - late-rejections.R1: A rejection is reported only after the execution has ended, because until then the code may
 *   still await it.
 * - late-rejections.R2: A replay reports nothing twice, because only the end of an execution reports.
 */
import type { RejectionOwner } from "../../guard/rejections.ts";
import { setImmediate } from "../../host/originals.ts";

export class LateRejections implements RejectionOwner {
  readonly #report: (reason: unknown) => void;
  #pending: Map<object, unknown> | undefined;
  #ended = false;

  /** `report` is called once for each rejection that was never awaited. */
  constructor(report: (reason: unknown) => void) {
    this.#report = report;
  }

  rejected(promise: object, reason: unknown): void {
    if (this.#ended) {
      this.#report(reason);
      return;
    }
    this.#pending ??= new Map();
    this.#pending.set(promise, reason);
  }

  handled(promise: object): void {
    this.#pending?.delete(promise);
  }

  /**
   * Called when the execution has ended (late-rejections.R1). Node reports awaits of the last turn after this round of
   * the event loop.
   */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#pending !== undefined) setImmediate(() => this.#reportAll());
  }

  #reportAll(): void {
    for (const reason of this.#pending?.values() ?? []) this.#report(reason);
    this.#pending = undefined;
  }
}
