/**
 * Activities that turns of the open transaction have scheduled and that are not inserted yet. A fetch that waits takes
 * the first one: it is then inserted as a locked row, in one statement, and never enters the index of ready rows.
 *
 * - open-activities.A1: All of them are inserted before the commit, before every operation that may read rows of the
 *   worker queue (Effects.before), and before every other row is added to it or deleted by anything but its id.
 * - open-activities.A2: They are inserted in the order of their arrival, and only the first one may be taken. Ids are
 *   therefore in the order of the queue, and every stored row is older than every activity here.
 * - open-activities.A3: They are activities without a session, of instances that have a turn.
 */
import { invariant } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { type DecodedActivityRow, insertActivity } from "../rows/activity-row.ts";
import type { Requester } from "../rows/instance-row.ts";

export interface NewActivity {
  readonly requester: Requester;
  readonly row: DecodedActivityRow;
}

/** The lock with which an activity is inserted. */
export interface ActivityLock {
  readonly secret: string;
  readonly untilMs: number;
}

export class OpenActivities {
  readonly #nowMs: number;
  #waiting: NewActivity[] = [];
  /** The index of the first one that is not inserted. */
  #next = 0;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  add(activity: NewActivity): void {
    this.#waiting.push(activity);
  }

  get first(): NewActivity | undefined {
    return this.#waiting[this.#next];
  }

  /** Inserts the first one as a locked row, and returns the id of the row (open-activities.A2). */
  lockFirst(db: Database, { requester, row }: NewActivity, lock: ActivityLock): number {
    invariant(this.first?.row === row, "open-activities.A2");
    this.#next++;
    return insertActivity(db, requester, row, { queuedAtMs: this.#nowMs, lock });
  }

  writeAll(db: Database): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting.slice(this.#next);
    this.#waiting = [];
    this.#next = 0;
    for (const { requester, row } of waiting) insertActivity(db, requester, row, { queuedAtMs: this.#nowMs });
  }
}
