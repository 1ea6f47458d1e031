/** What activities did, as the outside world saw it. It outlives the processes that ran them. */
import type { ActivityContext } from "@duroxide-ts/core";
import type { Machine } from "../world/machine.ts";

/** One run of an activity. */
export interface Run {
  /** Instance, execution and event of the attempt. */
  readonly key: string;
  readonly machine: Machine;
  readonly atMs: number;
}

export class Ledger {
  readonly #attempts = new Map<string, string[]>();
  readonly #nowMs: () => number;
  readonly #onRun: (run: Run) => void;
  #runs = 0;

  constructor(nowMs: () => number, onRun: (run: Run) => void) {
    this.#nowMs = nowMs;
    this.#onRun = onRun;
  }

  get runs(): number {
    return this.#runs;
  }

  /** Returns which attempt of its call this is, from 1; a second run of an attempt has its number. */
  begin({ callKey, idempotencyKey }: ActivityContext, machine: Machine): number {
    this.#runs++;
    this.#onRun({ key: idempotencyKey, machine, atMs: this.#nowMs() });
    const attempts = this.#attempts.get(callKey) ?? [];
    if (!attempts.includes(idempotencyKey)) attempts.push(idempotencyKey);
    this.#attempts.set(callKey, attempts);
    return attempts.indexOf(idempotencyKey) + 1;
  }
}
