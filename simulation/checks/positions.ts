/**
 * What clients may read of a program. Its steps follow each other, and writes of entries, custom statuses and new
 * executions are steps of the program itself, so the state of its instance is a position in them. What is read of it is
 * true at some positions, which are a range, because every value is written once.
 */
import type { OrchestrationStatus } from "@duroxide-ts/core";
import type { Program } from "../programs/step.ts";

/** Positions, both included. -1 is before the first turn, `end` after the last. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

interface State {
  readonly executionId: number;
  readonly customStatus: unknown;
  readonly entries: ReadonlyMap<string, number>;
}

const NOT_THERE = -1;

export class Positions {
  /** After so many steps. */
  readonly #states: readonly State[];
  /** The position after the step that takes each message. */
  readonly #takes: readonly number[];
  readonly #mayBeCancelled: boolean;

  constructor({ steps, cancelAfterMs }: Program) {
    const states: State[] = [{ executionId: 1, customStatus: undefined, entries: new Map() }];
    const takes: number[] = [];
    for (const [at, step] of steps.entries()) {
      const { executionId, customStatus, entries } = states[at] as State;
      states.push({
        executionId: step.do === "again" ? executionId + 1 : executionId,
        customStatus: step.do === "status" ? step.value : customStatus,
        entries: step.do === "write" ? new Map(entries).set(step.key, step.value) : entries,
      });
      if (step.do === "receive") takes.push(at + 1);
    }
    this.#states = states;
    this.#takes = takes;
    this.#mayBeCancelled = cancelAfterMs !== undefined;
  }

  /** After the last step, and ended. */
  get end(): number {
    return this.#states.length;
  }

  /** The position behind which the message has been taken. */
  takes(message: number): number {
    return this.#takes[message] ?? Number.POSITIVE_INFINITY;
  }

  /** Undefined where the program is never so. */
  ofStatus(status: OrchestrationStatus): Range | undefined {
    if (status.status === "NotFound") return { from: NOT_THERE, to: NOT_THERE };
    if (status.status === "Failed") return this.#mayBeCancelled ? this.#only(this.end) : undefined;
    const { executionId, customStatus } = status;
    const is = (state: State): boolean =>
      state.executionId === executionId && state.customStatus === customStatus;
    const range = this.#where(is);
    if (status.status === "Running" || range === undefined) return range;
    return range.to === this.end - 1 ? this.#only(this.end) : undefined;
  }

  /** Of an entry, `undefined` where it is not there. */
  ofEntry(key: string, value: unknown): Range | undefined {
    const range = this.#where(({ entries }) => entries.get(key) === value);
    if (range === undefined) return undefined;
    // A cancelled program ends with the entries that it had.
    const isLast = this.#mayBeCancelled || range.to === this.end - 1;
    return { from: value === undefined ? NOT_THERE : range.from, to: isLast ? this.end : range.to };
  }

  #where(is: (state: State) => boolean): Range | undefined {
    const from = this.#states.findIndex(is);
    return from < 0 ? undefined : { from, to: this.#states.findLastIndex(is) };
  }

  #only(position: number): Range {
    return { from: position, to: position };
  }
}
