/**
 * Activities that may be tried: those whose place is that of their age in an agenda, ranked ones and calls of instances
 * that wait for permits beside it.
 */
import type { Clock } from "@duroxide-ts/core";
import { PERMIT_TAG } from "@duroxide-ts/core/stores";
import { compareQueued } from "../documents/queue-order.ts";
import { rankedBy } from "../documents/ranked.ts";
import type { ActivityRow } from "../documents/rows.ts";
import { Agenda } from "./agenda.ts";
import type { Permits } from "./permits.ts";
import { RankedRows } from "./ranked-rows.ts";

/** More activities than a process runs between two queries. */
const MOST_ACTIVITIES = 10_000;

export class Activities extends Agenda<ActivityRow> {
  readonly ranked: RankedRows;
  /** Calls of instances that wait for permits. */
  readonly starts: RankedRows;
  /** Ranked rows of other processes are looked for until this time. */
  rankedUntilMs: number = Number.NEGATIVE_INFINITY;
  /** The mark is there until this time, as far as this process has written it. */
  markedUntilMs: number = Number.NEGATIVE_INFINITY;
  readonly #clock: Clock;
  readonly #permits: Permits;

  constructor(clock: Clock, permits: Permits) {
    super({
      clock,
      capacity: MOST_ACTIVITIES,
      compare: compareQueued,
      atMs: ({ visibleAtMs }) => visibleAtMs,
    });
    this.#clock = clock;
    this.#permits = permits;
    this.ranked = new RankedRows(clock, () => permits.process);
    this.starts = new RankedRows(clock, () => permits.process);
  }

  get rankedCount(): number {
    return this.ranked.count + this.starts.count;
  }

  /** Whether there may be ranked rows, here or in other processes. */
  get mayHaveRanked(): boolean {
    return this.rankedCount > 0 || this.rankedUntilMs > this.#clock.now();
  }

  override put(row: ActivityRow): void {
    if (rankedBy(row.item) === undefined) super.put(row);
    else if (row.item.tag === PERMIT_TAG) this.starts.put(row);
    else this.ranked.put(row);
  }

  /** A search has found a ranked row. What this process holds, or is about to lock, may have been listed before. */
  found(row: ActivityRow): void {
    const isHeld = (this.ranked.get(row.id)?.visibleAtMs ?? 0) > this.#clock.now();
    if (!isHeld && !this.attempts.has(row.id)) this.put(row);
  }

  /** Forgets ranked rows that a search should have listed: others have taken them. */
  forget(isMissing: (row: ActivityRow) => boolean): void {
    for (const rows of [this.ranked, this.starts])
      for (const row of rows.rows()) if (!this.attempts.has(row.id) && isMissing(row)) rows.remove(row.id);
  }

  /** Its permit ends. */
  override remove(id: string): void {
    super.remove(id);
    this.ranked.remove(id);
    this.starts.remove(id);
    this.#permits.end(id);
  }

  removeInstance(instanceId: string): void {
    this.starts.removeInstance(instanceId);
    for (const id of this.ranked.removeInstance(instanceId)) this.#permits.end(id);
  }
}
