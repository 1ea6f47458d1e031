/** What activities did, as the outside world saw it. It outlives the processes that ran them. */
import type { ActivityContext } from "@duroxide-ts/core";
import type { Machine } from "../world/machine.ts";
import { programOf } from "./step.ts";

/** One run of an activity. */
export interface Run {
  /** Instance, execution and event of the attempt. An execution that was begun by hand repeats events of an earlier one. */
  readonly key: string;
  readonly machine: Machine;
  readonly atMs: number;
}

export class Ledger {
  #attempts: Map<string, readonly string[]> = new Map();
  #saved: ReadonlyMap<string, readonly string[]> = new Map();
  /** Processes that have a store open that is gone. What they do is not of the store that took its place. */
  readonly #retired = new Set<Machine>();
  readonly #nowMs: () => number;
  readonly #onRun: (run: Run) => void;
  readonly #mended = new Set<string>();
  #runs = 0;

  constructor(nowMs: () => number, onRun: (run: Run) => void) {
    this.#nowMs = nowMs;
    this.#onRun = onRun;
  }

  get runs(): number {
    return this.#runs;
  }

  /** A copy of the store is kept. */
  save(): void {
    this.#saved = new Map(this.#attempts);
  }

  /** Another store took the place of the one that these processes have open: the copy, or one with nothing in it. */
  goOn(from: "copy" | "nothing", retired: readonly Machine[]): void {
    const known = from === "copy" ? this.#saved : new Map<string, readonly string[]>();
    this.#attempts = new Map(known);
    for (const machine of retired) this.#retired.add(machine);
  }

  /** From now on the fatal work of the program succeeds. */
  mend(program: string): void {
    this.#mended.add(program);
  }

  isMended(instanceId: string): boolean {
    return this.#mended.has(programOf(instanceId));
  }

  /** Returns which attempt of its call this is, from 1; a second run of an attempt has its number. */
  begin(ctx: ActivityContext, machine: Machine): number {
    const { callKey, idempotencyKey, instanceId, executionId } = ctx;
    this.#runs++;
    if (this.#retired.has(machine)) return 1;
    const event = idempotencyKey.slice(idempotencyKey.lastIndexOf(":") + 1);
    this.#onRun({ key: `${instanceId}:${executionId}:${event}`, machine, atMs: this.#nowMs() });
    const before = this.#attempts.get(callKey) ?? [];
    const attempts = before.includes(idempotencyKey) ? before : [...before, idempotencyKey];
    this.#attempts.set(callKey, attempts);
    return attempts.indexOf(idempotencyKey) + 1;
  }
}
