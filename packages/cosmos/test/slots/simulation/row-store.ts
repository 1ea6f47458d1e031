/** Orchestrations as rows of two queues: each is locked, worked on and committed step by step, under its ETag. */
import type { QueueName } from "../../../src/fetching/slots/slot-assignment.ts";

export interface Row {
  readonly id: string;
  readonly slot: number;
  readonly steps: number;
  /** The steps that were committed, in order. */
  readonly committed: number[];
  /** By the clock of whoever locked it. */
  lockedUntilMs: number;
  etag: number;
}

/** Steps alternate between the queues, as turns and activities do. */
export function queueOf({ committed }: Row): QueueName {
  return committed.length % 2 === 0 ? "orch_queue" : "worker_queue";
}

/** Of one question. */
const PAGE = 10;

export type QuestionWatcher = (queue: QueueName, slots: ReadonlySet<number>) => void;

export interface FoundRow {
  readonly id: string;
  readonly etag: number;
  /** The step that comes next. */
  readonly step: number;
}

export class RowStore {
  readonly #rows = new Map<string, Row>();
  readonly #open = new Map<string, Row>();
  readonly #onQuestion: QuestionWatcher;

  constructor(onQuestion: QuestionWatcher) {
    this.#onQuestion = onQuestion;
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  start(id: string, slot: number, steps: number): void {
    const row: Row = { id, slot, steps, committed: [], lockedUntilMs: 0, etag: 0 };
    this.#rows.set(id, row);
    this.#open.set(id, row);
  }

  /** Compares locks with the clock of the caller, as the queries do. */
  find(queue: QueueName, slots: ReadonlySet<number>, callerMs: number): readonly FoundRow[] {
    this.#onQuestion(queue, slots);
    const found: FoundRow[] = [];
    for (const row of this.#open.values()) {
      if (found.length === PAGE) break;
      if (!slots.has(row.slot) || queueOf(row) !== queue || row.lockedUntilMs > callerMs) continue;
      found.push({ id: row.id, etag: row.etag, step: row.committed.length });
    }
    return found;
  }

  /** The new ETag; `undefined` if somebody was faster. */
  lock(id: string, etag: number, untilMs: number): number | undefined {
    const row = this.#rows.get(id);
    if (row === undefined || row.etag !== etag) return undefined;
    row.lockedUntilMs = untilMs;
    return ++row.etag;
  }

  commit(id: string, etag: number, step: number): void {
    const row = this.#rows.get(id);
    if (row === undefined || row.etag !== etag) return;
    row.committed.push(step);
    row.lockedUntilMs = 0;
    row.etag++;
    if (row.committed.length === row.steps) this.#open.delete(id);
  }
}
