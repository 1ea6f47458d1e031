/** Activities that may be tried: those whose place is that of their age in an agenda, ranked ones beside it. */
import type { Clock } from "@duroxide-ts/core";
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
  readonly #permits: Permits;

  constructor(clock: Clock, permits: Permits) {
    super({
      clock,
      capacity: MOST_ACTIVITIES,
      compare: compareQueued,
      atMs: ({ visibleAtMs }) => visibleAtMs,
    });
    this.#permits = permits;
    this.ranked = new RankedRows(() => permits.process);
  }

  override put(row: ActivityRow): void {
    if (rankedBy(row.item) === undefined) super.put(row);
    else this.ranked.put(row);
  }

  /** Its permit ends. */
  override remove(id: string): void {
    super.remove(id);
    this.ranked.remove(id);
    this.#permits.end(id);
  }

  removeInstance(instanceId: string): void {
    for (const id of this.ranked.removeInstance(instanceId)) this.#permits.end(id);
  }
}
