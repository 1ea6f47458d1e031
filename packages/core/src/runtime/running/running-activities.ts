/**
 * The activities of this process: those that run, and outcomes that could not be stored because the lock had ended.
 *
 * - running-activities.A1: An activity runs at most once at a time in a process. When the store delivers it again, the
 *   current run takes the new lock, or the kept outcome is stored under it. A handler that continues after its run was
 *   abandoned still counts as running.
 * - running-activities.A2: The same identity may be other work, because an instance may be deleted and started again
 *   under its id. Work is the same only with the same name and input and a higher attempt count. A lone run enters with
 *   the count without its delivery, because the next delivery has the same count
 *   (docs/decisions/attempts-and-blocked-work.md).
 * - running-activities.A3: A run whose call was dropped, or whose lock is gone, is cancelled at once. A run whose lock
 *   has expired continues for a time that the caller sets, because the store may deliver it to this process again.
 * - running-activities.A4: A run whose values another delivery has made void ends without an outcome, and the activity is
 *   given back for a run that writes them all. So the outcome of a run that has written to a stream is not kept either, and
 *   such a run takes no new lock once only its outcome is left.
 */
import { BoundedMap } from "../../collections/bounded-map.ts";
import { ChurningMap } from "../../collections/churning-map.ts";
import type { ActivityId, FetchedWork } from "../../contract/provider.ts";
import { invariant } from "../../errors/invariant.ts";
import type { ActivityOutcome } from "../../wire/work-item.ts";
import { Cancellation } from "./cancellation.ts";

/** The operations of a run on its lock. */
export interface RunLock {
  readonly token: string;
  /** Whether the outcome cannot be stored any more. */
  readonly isLost: boolean;
  /** Takes the lock of a new delivery of the same work. */
  replace(fetched: FetchedWork): Promise<void>;
  /** Takes the last delivery off the stored count. */
  forgive(): Promise<void>;
}

/**
 * `adopted`: the current run has taken the lock. `still-running`: an earlier run has not ended and cannot take it. `free`:
 * this work does not run here.
 */
export type Claim = "adopted" | "still-running" | "free";

interface KeptOutcome {
  readonly fetched: FetchedWork;
  readonly outcome: ActivityOutcome;
  readonly untilMs: number;
}

/** The most outcomes that are kept. The oldest are discarded, and their activities run again. */
const MOST_KEPT = 1_000;

/** One run of an activity, from its delivery until its slot is freed. */
export class RunningActivity implements Disposable {
  readonly key: string;
  readonly lock: RunLock;
  readonly fetched: FetchedWork;
  /** Requested when the result is no longer needed. */
  readonly cancellation: Cancellation = new Cancellation();
  /** Stores what its handler has written to streams, and its progress; absent where there is neither. */
  endWrites: (() => Promise<void>) | undefined;
  /** Whether a value of its handler is in a stream. */
  hasStreamed = false;
  /** Whether all values are stored, and only the outcome is left (running-activities.A4). */
  hasEndedStreams = false;
  readonly #onEnded: (run: RunningActivity) => void;
  #abandoned = false;
  #superseded = false;
  #givenUp = false;
  #handlerRuns = false;

  constructor(key: string, fetched: FetchedWork, lock: RunLock, onEnded: (run: RunningActivity) => void) {
    this.key = key;
    this.fetched = fetched;
    this.lock = lock;
    this.#onEnded = onEnded;
  }

  /** Whether a shutdown has abandoned the run: its outcome is not stored. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** Whether its slot is free again; the handler may still run. */
  get givenUp(): boolean {
    return this.#givenUp;
  }

  get handlerRuns(): boolean {
    return this.#handlerRuns;
  }

  /** Whether its activity is another delivery's, or another one has made void what it has written to a stream. */
  get superseded(): boolean {
    return this.#superseded;
  }

  abandon(): void {
    this.#abandoned = true;
  }

  /**
   * The outcome is not stored: it would end the activity with a part of its values (running-activities.A4). The outcome of
   * a cancelled run is not stored anyway.
   */
  supersede(): void {
    if (this.cancellation.requested) return;
    this.#superseded = true;
    this.cancellation.request(new Error("another run has the activity, or has written to its streams"));
  }

  handlerBegan(): void {
    this.#handlerRuns = true;
  }

  /** Called also after the slot is freed, where the handler has continued (running-activities.A1). */
  handlerEnded(): void {
    this.#handlerRuns = false;
    if (this.#givenUp) this.#onEnded(this);
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
    if (this.#entries.get(run.key) === run) this.#entries.delete(run.key);
  };

  /** Activities whose slot is taken. */
  get count(): number {
    return this.#entries.size;
  }

  enter(fetched: FetchedWork, lock: RunLock): RunningActivity {
    const key = keyOf(fetched);
    const earlier = this.#entries.get(key);
    invariant(!earlier?.handlerRuns || !isSameWork(earlier.fetched, fetched), "running-activities.A1");
    const run = new RunningActivity(key, fetched, lock, this.#onEnded);
    this.#entries.set(key, run);
    return run;
  }

  /** Gives the lock to the current run of the same work, if there is one (running-activities.A1). */
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
    if (entry.hasEndedStreams) return "still-running";
    // The new delivery does not count as an attempt, so the lock takes it off the stored count.
    await entry.lock.replace(fetched);
    return "adopted";
  }

  /** Keeps an outcome whose lock has expired for the next delivery of its activity. */
  keep(fetched: FetchedWork, outcome: ActivityOutcome, untilMs: number): void {
    const key = keyOf(fetched);
    // running-activities.A4
    if (this.#entries.get(key)?.hasStreamed === true) return;
    this.#kept.set(key, { fetched, outcome, untilMs });
  }

  /** Removes and returns the kept outcome of the same work (running-activities.A1). */
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
      entry?.cancellation.request(new Error("the orchestration no longer needs the result of this activity"));
    }
  }

  /** At the end of a shutdown: later outcomes are not stored, and the next delivery runs the activity again. */
  abandonAll(): void {
    for (const entry of this.#entries.values()) entry.abandon();
  }

  /** Runs that a shutdown cuts off do not count as attempts, except those that the store did not discount. */
  async forgiveAll(): Promise<void> {
    const running = this.#entries.values().filter(({ givenUp }) => !givenUp);
    await Promise.allSettled(running.map(({ lock }) => lock.forgive()));
  }
}

function isSameWork(earlier: FetchedWork, later: FetchedWork): boolean {
  return (
    earlier.item.name === later.item.name &&
    earlier.item.input === later.item.input &&
    later.attemptCount > earlier.attemptCount
  );
}

/** The identity of the activity. */
export function keyOf({ item }: FetchedWork): string {
  return identity(item.instance, item.execution_id, item.id);
}

function identity(instanceId: string, executionId: number | bigint, activityId: number | bigint): string {
  return `${executionId}/${activityId}/${instanceId}`;
}
