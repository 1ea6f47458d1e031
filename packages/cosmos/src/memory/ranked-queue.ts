/** The ranked rows of one key, an agenda for each priority (docs/decisions/limits.md). */
import type { Clock } from "@duroxide-ts/core";
import { isOverdue } from "@duroxide-ts/core/stores";
import { compareQueued } from "../documents/queue-order.ts";
import type { ActivityRow } from "../documents/rows.ts";
import { Agenda } from "./agenda.ts";

type Accepts = (row: ActivityRow) => boolean;

export class RankedQueue {
  readonly #clock: Clock;
  readonly #capacity: number;
  /** Agendas of the priorities that rows have had, the first one first: there may be thousands of keys. */
  #agendas: { readonly priority: number; readonly rows: Agenda<ActivityRow> }[] = [];

  constructor(clock: Clock, capacity: number) {
    this.#clock = clock;
    this.#capacity = capacity;
  }

  get isEmpty(): boolean {
    return this.#agendas.every(({ rows }) => rows.size === 0);
  }

  get(id: string): ActivityRow | undefined {
    return this.#of(id)?.get(id);
  }

  put(row: ActivityRow, priority: number): void {
    let found = this.#agendas.find((each) => each.priority === priority);
    if (found === undefined) {
      found = { priority, rows: this.#newAgenda() };
      this.#agendas = [...this.#agendas, found].sort((a, b) => a.priority - b.priority);
    }
    found.rows.put(row);
  }

  remove(id: string): void {
    this.#of(id)?.remove(id);
  }

  /** The oldest of the highest priority, or what has waited for too long. */
  first(nowMs: number, accepts: Accepts): ActivityRow | undefined {
    let first: ActivityRow | undefined;
    let oldest: ActivityRow | undefined;
    for (const { rows } of this.#agendas) {
      const head = rows.size === 0 ? undefined : rows.first(nowMs, accepts);
      if (head === undefined) continue;
      first ??= head;
      if (oldest === undefined || compareQueued(head, oldest) < 0) oldest = head;
    }
    return oldest !== undefined && isOverdue(oldest.enqueuedAtMs, nowMs) ? oldest : first;
  }

  /** The oldest ones of the priority of a row that goes first. */
  alike(row: ActivityRow, nowMs: number, accepts: Accepts, most: number): readonly ActivityRow[] {
    const alike: ActivityRow[] = [];
    this.#of(row.id)?.first(nowMs, (each) => accepts(each) && alike.push(each) >= most);
    return alike;
  }

  /** How many wait, if one of them is accepted. */
  waiting(nowMs: number, accepts: Accepts): number {
    const isAccepted = this.#agendas.some(({ rows }) => rows.first(nowMs, accepts) !== undefined);
    return isAccepted ? this.#agendas.reduce((sum, { rows }) => sum + rows.dueCount(nowMs), 0) : 0;
  }

  /** The next end of a lock or a delay, ms since the epoch. */
  get nextMs(): number {
    return Math.min(...this.#agendas.map(({ rows }) => rows.nextMs));
  }

  rows(): readonly ActivityRow[] {
    return this.#agendas.flatMap(({ rows }) => rows.items());
  }

  #of(id: string): Agenda<ActivityRow> | undefined {
    return this.#agendas.find(({ rows }) => rows.has(id))?.rows;
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
