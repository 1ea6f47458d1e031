/** The ranked rows of one key, an agenda for each priority (docs/decisions/limits.md). */
import type { Clock } from "@duroxide-ts/core";
import { isOverdue, LAST_PRIORITY } from "@duroxide-ts/core/stores";
import { compareQueued } from "../documents/queue-order.ts";
import type { ActivityRow } from "../documents/rows.ts";
import { Agenda } from "./agenda.ts";

type Accepts = (row: ActivityRow) => boolean;

export class RankedQueue {
  readonly #clock: Clock;
  readonly #capacity: number;
  /** The first is that of priority 1. */
  readonly #agendas: Agenda<ActivityRow>[] = [];

  constructor(clock: Clock, capacity: number) {
    this.#clock = clock;
    this.#capacity = capacity;
    for (let priority = 1; priority <= LAST_PRIORITY; priority++) this.#agendas.push(this.#newAgenda());
  }

  get isEmpty(): boolean {
    return this.#agendas.every(({ size }) => size === 0);
  }

  get(id: string): ActivityRow | undefined {
    return this.#of(id)?.get(id);
  }

  put(row: ActivityRow, priority: number): void {
    this.#agendas[priority - 1]?.put(row);
  }

  remove(id: string): void {
    this.#of(id)?.remove(id);
  }

  /** The oldest of the highest priority, or what has waited for too long. */
  first(nowMs: number, accepts: Accepts): ActivityRow | undefined {
    let first: ActivityRow | undefined;
    let oldest: ActivityRow | undefined;
    for (const agenda of this.#agendas) {
      const head = agenda.size === 0 ? undefined : agenda.first(nowMs, accepts);
      if (head === undefined) continue;
      first ??= head;
      if (oldest === undefined || compareQueued(head, oldest) < 0) oldest = head;
    }
    return oldest !== undefined && isOverdue(oldest.enqueuedAtMs, nowMs) ? oldest : first;
  }

  /** The oldest ones of the priority of a row that goes first. */
  alike(row: ActivityRow, nowMs: number, accepts: Accepts, most: number): readonly ActivityRow[] {
    const rows: ActivityRow[] = [];
    this.#of(row.id)?.first(nowMs, (each) => accepts(each) && rows.push(each) >= most);
    return rows;
  }

  /** How many wait, if one of them is accepted. */
  waiting(nowMs: number, accepts: Accepts): number {
    if (this.first(nowMs, accepts) === undefined) return 0;
    return this.#agendas.reduce((sum, agenda) => sum + agenda.dueCount(nowMs), 0);
  }

  /** The next end of a lock or a delay, ms since the epoch. */
  get nextMs(): number {
    return Math.min(...this.#agendas.map(({ nextMs }) => nextMs));
  }

  rows(): readonly ActivityRow[] {
    return this.#agendas.flatMap((agenda) => agenda.items());
  }

  #of(id: string): Agenda<ActivityRow> | undefined {
    return this.#agendas.find((agenda) => agenda.has(id));
  }

  #newAgenda(): Agenda<ActivityRow> {
    return new Agenda<ActivityRow>({
      clock: this.#clock,
      capacity: this.#capacity,
      compare: compareQueued,
      atMs: ({ visibleAtMs }) => visibleAtMs,
    });
  }
}
