/**
 * The rejections of one execution's code that nobody has awaited so far. Only when the execution has ended is it
 * known that nobody will: until then a later `await` may come, and a replay begins anew.
 */
import type { RejectionOwner } from "../../guard/rejections.ts";

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

  /** The execution has ended. Node has yet to say what its last turn has awaited. */
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
