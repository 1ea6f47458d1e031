/**
 * The activities that ran alone in this process, whose outcome may not have been stored: the process had lost the lock,
 * or the store took nothing. The store cannot tell such a process from one that has ended
 * (docs/decisions/attempts-and-blocked-work.md).
 *
 * - lone-marks.M1: A process marks an activity once, however often it runs it alone, and its own mark does not count. So
 *   what counts are processes that ran it alone and may have ended then.
 */
import { BoundedMap } from "../../collections/bounded-map.ts";
import { doubledMs } from "../../contract/clock.ts";
import type { FetchedWork } from "../../contract/provider.ts";
import { keyOf } from "../running/running-activities.ts";
import { isExhaustedAlone } from "../trouble/lone-runs.ts";

/** Activities that are remembered. The mark of one that is forgotten counts. */
const MOST_MARKED = 1_000;

const FIRST_DELAY_MS = 60_000;
const LONGEST_DELAY_MS = 3_600_000;

interface Mark {
  /** The marks that the store had before that of this process. */
  readonly before: number;
  readonly runs: number;
  readonly nextRunMs: number;
}

export class LoneMarks {
  readonly #marks = new BoundedMap<string, Mark>(MOST_MARKED);

  /** Whether the store has a mark of this process. One that it has not stored is none. */
  isMarked(fetched: FetchedWork): boolean {
    return this.#markOf(fetched) !== undefined;
  }

  /** Whether enough of its lone runs may have ended with their process (lone-marks.M1). */
  isPoison(fetched: FetchedWork): boolean {
    const { loneRuns = 0 } = fetched;
    return isExhaustedAlone({ ...fetched, loneRuns: loneRuns - (this.isMarked(fetched) ? 1 : 0) });
  }

  /** Ms until it may run alone here again: none for the first times, so that a lock that was lost costs no time. */
  waitMs(fetched: FetchedWork, nowMs: number): number {
    const mark = this.#markOf(fetched);
    if (mark === undefined || !isExhaustedAlone({ ...fetched, loneRuns: mark.runs })) return 0;
    return Math.min(LONGEST_DELAY_MS, Math.max(0, mark.nextRunMs - nowMs));
  }

  /** A lone run begins. */
  began(fetched: FetchedWork, nowMs: number): void {
    const { before = fetched.loneRuns ?? 0, runs = 0 } = this.#markOf(fetched) ?? {};
    const nextRunMs = nowMs + doubledMs(FIRST_DELAY_MS, LONGEST_DELAY_MS, Math.max(0, runs - 2));
    this.#marks.set(keyOf(fetched), { before, runs: runs + 1, nextRunMs });
  }

  /** Undefined also where the identity is that of other work, whose marks begin anew. */
  #markOf(fetched: FetchedWork): Mark | undefined {
    const mark = this.#marks.get(keyOf(fetched));
    return mark !== undefined && (fetched.loneRuns ?? 0) > mark.before ? mark : undefined;
  }
}
