/**
 * R1. Long after the last fault an activity runs once: the process that runs it renews its lock.
 *
 * A lock that was taken while clocks were wrong, or a request that is still under way, may hand an activity out again a
 * while later, so both runs must have begun long after the last fault.
 *
 * R2. An instance that is deleted and started again is another one: what runs for the first may still run beside the
 *     same activity of the second.
 */
import type { Run } from "../programs/ledger.ts";

/** Longer than a process stands still at most, and than a request is under way. */
const CALM_AFTER_MS = 25_000;

export class DoubleRuns {
  readonly #running = new Map<string, Run>();
  readonly #onViolation: (violation: string) => void;
  readonly #mayBeAnew: (key: string) => boolean;
  #calmFromMs = Number.POSITIVE_INFINITY;

  /** `mayBeAnew`: whether the instance of a run may be deleted and started again (R2). */
  constructor(onViolation: (violation: string) => void, mayBeAnew: (key: string) => boolean) {
    this.#onViolation = onViolation;
    this.#mayBeAnew = mayBeAnew;
  }

  /** There are no more faults. */
  faultsEnded(nowMs: number): void {
    this.#calmFromMs = nowMs + CALM_AFTER_MS;
  }

  began(run: Run): void {
    const { key, machine, atMs } = run;
    if (this.#mayBeAnew(key)) return;
    const other = this.#running.get(key);
    this.#running.set(key, run);
    if (other === undefined || other.machine.isDead || other.atMs < this.#calmFromMs) return;
    this.#onViolation(
      `${key}: begun in ${machine.name} while ${other.machine.name} has run it for ${atMs - other.atMs} ms`,
    );
  }

  ended(run: Run): void {
    if (this.#running.get(run.key) === run) this.#running.delete(run.key);
  }
}
