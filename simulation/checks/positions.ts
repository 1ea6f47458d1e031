/**
 * Positions of a program that its reads may show. Its steps follow each other, and writes of entries, custom statuses
 * and new executions are steps of the program itself, so the state of its instance is a position in them. What is read
 * of it is true at some positions: a range, because every value is written once. Where an entry is absent several
 * times, it is the range from the first to the last.
 */
import type { OrchestrationStatus } from "@duroxide-ts/core";
import { type Entries, entriesAfter } from "../programs/entries.ts";
import { isDeleted, NOISE, type Program } from "../programs/step.ts";

/** Positions, both included. -1 is before the first turn, `end` after the last. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Statuses by which clients list the instances. */
export type ListedStatus = "Running" | "Completed";

/** The columns of a listed instance. */
export interface ListedRow {
  readonly status: string;
  readonly executionId: number;
}

/** The positions of a program that each kind of read may show, and when. */
export interface Positions {
  /** After the last step, and ended. */
  readonly end: number;
  /** The position behind which the message has been taken. */
  takes(message: number): number;
  /** Undefined where the program is never so. */
  ofStatus(status: OrchestrationStatus): Range | undefined;
  /** Returns the range of an entry with a value, `undefined` where it is absent. */
  ofEntry(key: string, value: unknown): Range | undefined;
  /** Returns the range of all entries at once. */
  ofEntries(entries: Readonly<Record<string, unknown>>): Range | undefined;
  ofRow(row: ListedRow): Range | undefined;
  /** Returns the range in which a list, of all instances or of those with a status, has the instance or lacks it. */
  ofList(hasIt: boolean, status: ListedStatus | undefined): Range;
}

export function positionsOf(program: Program): Positions {
  return program.operations.length > 0 ? new RevisedPositions(program) : new StepPositions(program);
}

interface State {
  readonly executionId: number;
  readonly customStatus: unknown;
  readonly entries: Entries;
}

const NOT_THERE = -1;

class StepPositions implements Positions {
  /** After so many steps. */
  readonly #states: readonly State[];
  /** The position after the step that takes each message. */
  readonly #takes: readonly number[];
  readonly #mayBeCancelled: boolean;

  constructor({ steps, cancelAfterMs, start }: Program) {
    const states: State[] = [{ executionId: 1, customStatus: undefined, entries: new Map() }];
    const takes: number[] = [];
    for (const [at, step] of steps.entries()) {
      const { executionId, customStatus, entries } = states[at] as State;
      states.push({
        executionId: step.do === "again" ? executionId + 1 : executionId,
        customStatus: step.do === "status" ? step.value : customStatus,
        entries: entriesAfter(step, entries),
      });
      if (step.do === "receive" && step.name !== NOISE) takes.push(at + 1);
    }
    this.#states = states;
    this.#takes = takes;
    this.#mayBeCancelled = cancelAfterMs !== undefined || start.timeoutMs !== undefined;
  }

  get end(): number {
    return this.#states.length;
  }

  takes(message: number): number {
    return this.#takes[message] ?? Number.POSITIVE_INFINITY;
  }

  ofStatus(status: OrchestrationStatus): Range | undefined {
    if (status.status === "NotFound") return { from: NOT_THERE, to: NOT_THERE };
    // One that no worker has taken is shown by its start, which no list has.
    if (status.status === "Scheduled" || status.status === "Waiting") return { from: NOT_THERE, to: 0 };
    if (status.status === "Failed" || status.status === "Cancelled")
      return this.#mayBeCancelled ? this.#only(this.end) : undefined;
    const { executionId, customStatus } = status;
    const is = (state: State): boolean =>
      state.executionId === executionId && state.customStatus === customStatus;
    const range = this.#where(is);
    if (status.status === "Running" || range === undefined) return range;
    return range.to === this.end - 1 ? this.#only(this.end) : undefined;
  }

  ofEntry(key: string, value: unknown): Range | undefined {
    return this.#withEnds(
      this.#where(({ entries }) => entries.get(key) === value),
      value === undefined,
    );
  }

  ofEntries(shown: Readonly<Record<string, unknown>>): Range | undefined {
    const keys = Object.keys(shown);
    const is = ({ entries }: State): boolean =>
      entries.size === keys.length && keys.every((key) => entries.get(key) === shown[key]);
    return this.#withEnds(this.#where(is), keys.length === 0);
  }

  ofRow({ status, executionId }: ListedRow): Range | undefined {
    if (status === "Failed" || status === "Cancelled")
      return this.#mayBeCancelled ? this.#only(this.end) : undefined;
    if (status === "Scheduled" || status === "Waiting") return this.#only(0);
    const range = this.#where((state) => state.executionId === executionId);
    if (status !== "Completed" || range === undefined) return range;
    return range.to === this.end - 1 ? this.#only(this.end) : undefined;
  }

  /** `isNothing`: it is so before the instance is there. */
  #withEnds(range: Range | undefined, isNothing: boolean): Range | undefined {
    if (range === undefined) return undefined;
    // A cancelled program ends with the entries that it had.
    const isLast = this.#mayBeCancelled || range.to === this.end - 1;
    return { from: isNothing ? NOT_THERE : range.from, to: isLast ? this.end : range.to };
  }

  ofList(hasIt: boolean, status: ListedStatus | undefined): Range {
    switch (status) {
      case undefined:
        return hasIt ? { from: 0, to: this.end } : this.#only(NOT_THERE);
      case "Running":
        return hasIt ? { from: 0, to: this.end - 1 } : { from: NOT_THERE, to: this.end };
      case "Completed":
        if (hasIt) return this.#only(this.end);
        return { from: NOT_THERE, to: this.#mayBeCancelled ? this.end : this.end - 1 };
    }
  }

  #where(is: (state: State) => boolean): Range | undefined {
    const from = this.#states.findIndex(is);
    return from < 0 ? undefined : { from, to: this.#states.findLastIndex(is) };
  }

  #only(position: number): Range {
    return { from: position, to: position };
  }
}

/**
 * Positions of a program that an operator changes by hand. It goes back in its steps, but every change begins another
 * execution, and an execution that has ended does not run again. So its positions are executions, running and ended.
 * Once it may have been deleted, its executions begin anew, and nothing is said of their order.
 */
class RevisedPositions implements Positions {
  readonly end = Number.POSITIVE_INFINITY;
  readonly #mayFail: boolean;
  readonly #mayVanish: boolean;
  readonly #written: ReadonlySet<unknown>;

  constructor(program: Program) {
    const { operations, steps } = program;
    // A rewind ends the execution that runs before it begins the next one.
    this.#mayFail = operations.some(({ verb }) => FAILING.has(verb));
    this.#mayVanish = isDeleted(program);
    this.#written = new Set(steps.map((step) => (step.do === "write" ? step.value : undefined)));
  }

  takes(): number {
    return this.end;
  }

  ofStatus(status: OrchestrationStatus): Range | undefined {
    if ("details" in status && !this.#mayFail) return undefined;
    if (this.#mayVanish) return this.#anywhere();
    if (status.status === "NotFound") return { from: NOT_THERE, to: NOT_THERE };
    const position = 2 * status.executionId + (status.status === "Running" ? 0 : 1);
    return { from: position, to: position };
  }

  ofEntry(_key: string, value: unknown): Range | undefined {
    return value === undefined || this.#written.has(value) ? this.#anywhere() : undefined;
  }

  ofEntries(entries: Readonly<Record<string, unknown>>): Range | undefined {
    return Object.values(entries).every((value) => this.#written.has(value)) ? this.#anywhere() : undefined;
  }

  ofRow({ status, executionId }: ListedRow): Range | undefined {
    const hasFailed = status === "Failed" || status === "Cancelled";
    if (hasFailed && !this.#mayFail) return undefined;
    if (this.#mayVanish) return this.#anywhere();
    const position = 2 * executionId + (status === "Completed" || hasFailed ? 1 : 0);
    return { from: position, to: position };
  }

  ofList(hasIt: boolean, status: ListedStatus | undefined): Range {
    if (this.#mayVanish) return this.#anywhere();
    if (hasIt) return { from: 0, to: this.end };
    return status === undefined ? { from: NOT_THERE, to: NOT_THERE } : this.#anywhere();
  }

  #anywhere(): Range {
    return { from: NOT_THERE, to: this.end };
  }
}

/** `retry` stands for the work that fails. */
const FAILING: ReadonlySet<string> = new Set(["terminate", "rewind", "retry"]);
