/** The faults of a run: which fault hit what, and how often. A fault that hit nothing is not counted. */
import type { Fault } from "./fault.ts";

/** A fault, what it hit (a kind of request, a call of the file system, a role), and how often. */
export type FaultCount = readonly [fault: Fault, target: string, times: number];

export class FaultLog {
  readonly #counts = new Map<Fault, Map<string, number>>();
  #total = 0;

  add(fault: Fault, target: string, times = 1): void {
    const targets = this.#counts.get(fault) ?? new Map<string, number>();
    this.#counts.set(fault, targets);
    targets.set(target, (targets.get(target) ?? 0) + times);
    this.#total += times;
  }

  get counts(): readonly FaultCount[] {
    return [...this.#counts].flatMap(([fault, targets]) =>
      [...targets].map(([target, times]): FaultCount => [fault, target, times]),
    );
  }

  get total(): number {
    return this.#total;
  }
}
