/**
 * The activities of this process: those that run, and outcomes that could not be stored because the lock had ended.
 *
 *   A1  An activity runs at most once at a time in a process. When the store hands it out again, the run under way
 *       keeps the new lock, or the kept outcome is stored under it. A handler that goes on although its run was given
 *       up still counts as running.
 *   A2  The same identity may be other work: an instance may be deleted and started again under its id. It is the
 *       same only with the same name and input, handed out more often than before.
 *   A3  A run that an orchestration gave up, or whose lock is gone, is cancelled at once. One whose lock has expired
 *       goes on for a while (the caller says how long), since the store may hand it out to this process again.
 */
import { BoundedMap } from "../collections/bounded-map.ts";
import { ChurningMap } from "../collections/churning-map.ts";
import type { ActivityId, FetchedWork } from "../contract/provider.ts";
import type { ActivityOutcome } from "../wire/work-item.ts";
import { Cancellation } from "./cancellation.ts";

/** What a run does with the lock that it holds. */
export interface RunLock {
  /** Takes over a lock under which the store has handed out the same work again. */
  replace(fetched: FetchedWork): Promise<void>;
  /** Takes the last hand-out off the stored count. */
  forgive(): Promise<void>;
}

/**
 * `adopted`: the run under way has the lock now. `still-running`: the handler of a run that was given up has not
 * ended. `free`: nothing of this work runs here.
 */
export type Claim = "adopted" | "still-running" | "free";

interface KeptOutcome {
  readonly fetched: FetchedWork;
  readonly outcome: ActivityOutcome;
  readonly untilMs: number;
}

/** Outcomes that are kept at most; the oldest are dropped, and their activities run again. */
const MOST_KEPT = 1_000;

/** One run of an activity, from its hand-out until the runtime waits for it no more. */
export class RunningActivity implements Disposable {
  readonly lock: RunLock;
  readonly fetched: FetchedWork;
  /** Requested when nobody wants the result any more. */
  readonly cancellation: Cancellation = new Cancellation();
  readonly #onEnded: (run: RunningActivity) => void;
  #abandoned = false;
  #givenUp = false;
  #handlerRuns = false;

  constructor(fetched: FetchedWork, lock: RunLock, onEnded: (run: RunningActivity) => void) {
    this.fetched = fetched;
    this.lock = lock;
    this.#onEnded = onEnded;
  }

  /** The runtime has stopped caring: whatever the handler returns is not stored. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** The runtime waits for it no more. */
  get givenUp(): boolean {
    return this.#givenUp;
  }

  get handlerRuns(): boolean {
    return this.#handlerRuns;
  }

  abandon(): void {
    this.#abandoned = true;
  }

  /** The handler, which may go on after the runtime has given the run up (A1). It never rejects. */
  track(handler: Promise<unknown>): void {
    this.#handlerRuns = true;
    void handler.then(() => {
      this.#handlerRuns = false;
      if (this.#givenUp) this.#onEnded(this);
    });
  }

  [Symbol.dispose](): void {
    this.#givenUp = true;
    if (!this.#handlerRuns) this.#onEnded(this);
  }
}

export class RunningActivities {
  readonly #entries = new ChurningMap<string, RunningActivity>();
  readonly #kept = new BoundedMap<string, KeptOutcome>(MOST_KEPT);
  readonly #onEnded = (run: RunningActivity): void => {
    const key = keyOf(run.fetched);
    if (this.#entries.get(key) === run) this.#entries.delete(key);
  };

  /** Activities whose slot is taken. */
  get count(): number {
    return this.#entries.size;
  }

  enter(fetched: FetchedWork, lock: RunLock): RunningActivity {
    const run = new RunningActivity(fetched, lock, this.#onEnded);
    this.#entries.set(keyOf(fetched), run);
    return run;
  }

  /** Gives the lock to the run of the same work that is under way, if there is one (A1). */
  claim(fetched: FetchedWork): Claim | Promise<Claim> {
    const entry = this.#entries.get(keyOf(fetched));
    return entry === undefined ? "free" : this.#claimFrom(entry, fetched);
  }

  async #claimFrom(entry: RunningActivity, fetched: FetchedWork): Promise<Claim> {
    if (!isSameWork(entry.fetched, fetched)) {
      entry.cancellation.request(new Error("the instance was deleted; its id is in use again"));
      return "free";
    }
    if (entry.givenUp || entry.abandoned || entry.cancellation.requested) {
      return entry.handlerRuns ? "still-running" : "free";
    }
    // The hand-out is taken off the count again, so the stored count stays that of the last one.
    await entry.lock.replace(fetched);
    return "adopted";
  }

  /** Keeps an outcome whose lock has ended for the next hand-out of its activity. */
  keep(fetched: FetchedWork, outcome: ActivityOutcome, untilMs: number): void {
    this.#kept.set(keyOf(fetched), { fetched, outcome, untilMs });
  }

  /** The kept outcome of the same work (A1), which is forgotten here. */
  takeOutcome(fetched: FetchedWork, nowMs: number): ActivityOutcome | undefined {
    if (this.#kept.size === 0) return undefined;
    const key = keyOf(fetched);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    return kept.untilMs > nowMs && isSameWork(kept.fetched, fetched) ? kept.outcome : undefined;
  }

  cancel(ids: readonly ActivityId[]): void {
    for (const { instanceId, executionId, activityId } of ids) {
      const entry = this.#entries.get(identity(instanceId, executionId, activityId));
      entry?.cancellation.request(new Error("the orchestration no longer wants the result of this activity"));
    }
  }

  /** At the end of a shutdown: outcomes that come now are for the next delivery to repeat. */
  abandonAll(): void {
    for (const entry of this.#entries.values()) entry.abandon();
  }

  /** A shutdown that cuts runs off is no fault of theirs. */
  async forgiveAll(): Promise<void> {
    const running = this.#entries.values().filter(({ givenUp }) => !givenUp);
    await Promise.all(running.map(({ lock }) => lock.forgive()));
  }
}

function isSameWork(earlier: FetchedWork, later: FetchedWork): boolean {
  return (
    earlier.item.name === later.item.name &&
    earlier.item.input === later.item.input &&
    later.attemptCount > earlier.attemptCount
  );
}

function keyOf({ item }: FetchedWork): string {
  return identity(item.instance, item.execution_id, item.id);
}

function identity(instanceId: string, executionId: number | bigint, activityId: number | bigint): string {
  return `${executionId}/${activityId}/${instanceId}`;
}
