/**
 * - double-runs.R1: Long after the last fault an activity runs once: the process that runs it renews its lock.
 *
 * A lock that was taken while clocks were wrong, or a request that is still under way, may hand an activity out again a
 * while later, so both runs must have begun long after the last fault.
 *
 * - double-runs.R2: Then the activities of a session run in one process at a time.
 *
 * - double-runs.R3: An instance that is deleted and started again is another one: what runs for the first may still run
 *   beside the same activity of the second.
 */
import type { Run } from "../programs/ledger.ts";

/** Longer than a process stands still at most, and than a request is under way. */
const CALM_AFTER_MS = 25_000;

export class DoubleRuns {
  readonly #running = new Map<string, Run>();
  readonly #ofSessions = new Map<string, Set<Run>>();
  readonly #onViolation: (violation: string) => void;
  readonly #mayBeAnew: (key: string) => boolean;
  #calmFromMs = Number.POSITIVE_INFINITY;

  /** `mayBeAnew`: whether the instance of a run may be deleted and started again (double-runs.R3). */
  constructor(onViolation: (violation: string) => void, mayBeAnew: (key: string) => boolean) {
    this.#onViolation = onViolation;
    this.#mayBeAnew = mayBeAnew;
  }

  /** There are no more faults. */
  faultsEnded(nowMs: number): void {
    this.#calmFromMs = nowMs + CALM_AFTER_MS;
  }

  began(run: Run): void {
    this.#beganInSession(run);
    const { key } = run;
    if (this.#mayBeAnew(key)) return;
    const other = this.#running.get(key);
    this.#running.set(key, run);
    if (other !== undefined && this.#isCalm(other)) this.#violate(key, run, other);
  }

  ended(run: Run): void {
    if (this.#running.get(run.key) === run) this.#running.delete(run.key);
    this.#ofSessions.get(run.session ?? "")?.delete(run);
  }

  /** double-runs.R2. */
  #beganInSession(run: Run): void {
    const { session, machine } = run;
    if (session === undefined) return;
    const others = this.#ofSessions.get(session) ?? new Set();
    this.#ofSessions.set(session, others);
    for (const other of others) {
      if (other.machine !== machine && this.#isCalm(other)) this.#violate(`session ${session}`, run, other);
    }
    others.add(run);
  }

  #isCalm({ machine, atMs }: Run): boolean {
    return !machine.isDead && atMs >= this.#calmFromMs;
  }

  #violate(what: string, { machine, atMs }: Run, other: Run): void {
    this.#onViolation(
      `${what}: begun in ${machine.name} while ${other.machine.name} has run it for ${atMs - other.atMs} ms`,
    );
  }
}
