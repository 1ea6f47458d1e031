/** Activities that this process may try to lock: those that it wrote, and those whose lock it took. */

import { compareQueued } from "../documents/queue-order.ts";
import type { ActivityRow } from "../documents/rows.ts";
import { Agenda, type AgendaItem } from "./agenda.ts";

/** More than a process works off between two looks at the store. */
const CAPACITY = 10_000;

interface ReadyActivity extends AgendaItem {
  readonly row: ActivityRow;
}

export class ReadyActivities {
  readonly #agenda = new Agenda<ReadyActivity>({
    capacity: CAPACITY,
    compare: (a, b) => compareQueued(a.row, b.row),
  });

  add(row: ActivityRow): void {
    this.#agenda.put({ id: row.id, atMs: row.visibleAtMs, row });
  }

  has(id: string): boolean {
    return this.#agenda.has(id);
  }

  remove(id: string): void {
    this.#agenda.remove(id);
  }

  /** The oldest that is visible and accepted; it stays until it is removed. */
  first(nowMs: number, accepts: (row: ActivityRow) => boolean): ActivityRow | undefined {
    return this.#agenda.first(nowMs, ({ row }) => accepts(row))?.row;
  }

  /** When the next one becomes visible; infinite where none will. */
  get nextDueMs(): number {
    return this.#agenda.nextMs;
  }
}
