/**
 * Takes fetched activities to their outcomes (docs/reference/runtime-semantics.md §3.2,
 * docs/decisions/attempts-and-blocked-work.md). One call handles one activity under its lock.
 *
 * - activity-dispatcher.D1: A slot runs one handler at a time. It may fetch while the outcome of its last handler waits
 *   for a fused turn, so that the commit of the turn locks the next activity for it (docs/decisions/sqlite-commits.md).
 * - activity-dispatcher.D2: At most one outcome of a slot waits while the slot works on the next activity.
 * - activity-dispatcher.D3: An activity of a session occupies its slot until its outcome is stored.
 * - activity-dispatcher.D4: A delivery of work that already runs here, or whose outcome waits here for a lock, never
 *   calls the handler again (running-activities.A1). So these checks come before the handler is looked up and before
 *   the attempt limit.
 * - activity-dispatcher.D5: A handler is called only while the lock holds. It is checked after the waits that precede
 *   the call: for a place among the handlers, for a lone run, and for a slot of a rate. Whether an outcome may be stored
 *   under the lock, the store decides.
 */
import type { FetchedWork, FetchWorkOptions } from "../../contract/provider.ts";
import type { AnyActivity } from "../../define/definition-types.ts";
import { invariant } from "../../errors/invariant.ts";
import { traceparentOf } from "../../observe/trace-context.ts";
import type { ActivityOutcome } from "../../wire/work-item.ts";
import { ActivityLock } from "../locks/activity-lock.ts";
import { type GiveBack, giveBack } from "../locks/give-back.ts";
import { isNearlyOver } from "../locks/lock-renewal.ts";
import type { ActivityRegistry, OrchestrationRegistry } from "../registry.ts";
import type { RunningActivities, RunningActivity } from "../running/running-activities.ts";
import { attemptsBefore } from "../trouble/lone-runs.ts";
import { poisonedActivity } from "../trouble/poison.ts";
import type { FusedTurns } from "../turns/fused-turns.ts";
import type { DispatcherParts } from "../turns/parts.ts";
import { acceptedActivities } from "./accepted-activities.ts";
import { failedOutcome, offerOutcome } from "./activity-ack.ts";
import { runActivity } from "./activity-run.ts";
import {
  blockedRelease,
  identify,
  noActivity,
  noCodeOfStep,
  uncodedRelease,
  usedUpRelease,
} from "./blocked-activity.ts";
import type { HandlerStarts } from "./handler-starts.ts";
import { inSlot } from "./in-slot.ts";
import { lastProgressOf } from "./last-progress.ts";
import { LoneMarks } from "./lone-marks.ts";
import type { Steps } from "./steps.ts";
import { isSystemCall } from "./system-activities.ts";
import { WorkerSlots } from "./worker-slots.ts";

const UNEXPECTED_ERROR_DELAY_MS = 1_000;
const STILL_RUNNING_DELAY_MS = 1_000;

export interface ActivityDispatcherParts extends DispatcherParts {
  readonly registry: ActivityRegistry;
  /** The orchestrations whose steps run here. */
  readonly orchestrations: OrchestrationRegistry;
  readonly steps: Steps;
  readonly running: RunningActivities;
  readonly starts: HandlerStarts;
  /** Absent where fused turns are off: each outcome is then stored as a message. */
  readonly fused: FusedTurns | undefined;
  /** Names this runtime's slots in logs and as session owners. */
  readonly runtimeId: string;
}

export class ActivityDispatcher {
  readonly #parts: ActivityDispatcherParts;
  readonly #accepted: Pick<FetchWorkOptions, "tagFilter" | "activities">;
  /**
   * The end of the activity whose outcome waits for a fused turn (activity-dispatcher.D1), by slot. It never rejects.
   */
  readonly #endings: (Promise<void> | undefined)[] = [];
  readonly #slots: WorkerSlots;
  readonly #loneMarks = new LoneMarks();

  constructor(parts: ActivityDispatcherParts) {
    this.#parts = parts;
    this.#accepted = acceptedActivities(parts);
    this.#slots = new WorkerSlots(parts);
  }

  /** Fetches one activity, within `waitMs`, and runs it; false when there was none. `slot` is the index of the caller. */
  async work(slot: number, waitMs: number): Promise<boolean> {
    const lastEnding = this.#endings[slot];
    this.#endings[slot] = undefined;
    try {
      return await this.#work(slot, waitMs);
    } finally {
      // activity-dispatcher.D2
      if (lastEnding !== undefined) await lastEnding;
    }
  }

  /** Resolves when no outcome waits for a fused turn; called after the slots have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#endings);
  }

  async #work(slot: number, waitMs: number): Promise<boolean> {
    const { settings, health, loneRuns } = this.#parts;
    const { workerId, session } = this.#slots.at(slot);
    const signal = loneRuns.fetchSignal;
    const fetched = await settings.provider.fetchWorkItem({
      lockTimeoutMs: settings.workerLockTimeoutMs,
      pollTimeoutMs: health.pollTimeoutMs("activities", waitMs),
      ...this.#accepted,
      session,
      signal,
    });
    // An aborted fetch is no evidence that the store works.
    if (fetched !== undefined || !signal.aborted) health.succeeded("activities");
    else health.release("activities");
    if (fetched === undefined) return false;
    if (fetched.item.session_id === undefined) await this.#handleUntilOffered(slot, fetched, workerId);
    else await this.#handleSafely({ fetched, workerId });
    return true;
  }

  /** Resolves when the activity has ended, or when its outcome waits for a fused turn; `#endings` then has the rest. */
  async #handleUntilOffered(slot: number, fetched: FetchedWork, workerId: string): Promise<void> {
    invariant(this.#endings[slot] === undefined, "activity-dispatcher.D2");
    invariant(fetched.item.session_id === undefined, "activity-dispatcher.D3");
    const { loneRuns } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    let isFree = false;
    const free = (): void => {
      isFree = true;
      // The slot leaves before the activity has ended (lone-runs.L2).
      loneRuns.enter();
      resolve();
    };
    this.#endings[slot] = this.#handleSafely({ fetched, workerId, free }).then(() => {
      if (isFree) loneRuns.leave();
      else resolve();
    });
    await promise;
  }

  /** An unexpected error must not end the slot: it gives the activity back, which counts as an attempt. */
  async #handleSafely(delivery: Delivery): Promise<void> {
    const { fetched } = delivery;
    this.#parts.inHand.begin();
    try {
      await this.#handle(delivery);
    } catch (error) {
      this.#parts.settings.logger.error(
        { event: "activity_handling_failed", ...identify(fetched.item), error },
        "handling an activity failed unexpectedly; it is retried",
      );
      await this.#giveBack(fetched, { delayMs: UNEXPECTED_ERROR_DELAY_MS });
    } finally {
      this.#parts.inHand.end();
    }
  }

  async #handle(delivery: Delivery): Promise<void> {
    const { fetched } = delivery;
    const { settings, registry, running } = this.#parts;
    const { item } = fetched;
    settings.observer.traces?.note(item.instance, traceparentOf(item));
    if (isNearlyOver(settings.clock, fetched.lockedUntilMs, settings.workerLockTimeoutMs)) {
      return this.#giveBack(fetched, { ignoreAttempt: true });
    }
    const claimed = running.claim(fetched);
    const claim = typeof claimed === "string" ? claimed : await claimed;
    if (claim === "adopted") return this.#adopted(fetched);
    if (claim === "still-running") return this.#stillRunning(fetched);
    const kept = running.takeOutcome(fetched, settings.clock.now());
    if (kept !== undefined) return this.#storeKept(fetched, kept);
    if (item.step_of !== undefined) return this.#handleStep(delivery);
    const definition = registry.get(item.name);
    if (definition === undefined && !isSystemCall(item.name))
      return this.#noHandler(fetched, noActivity(item.name, registry.names));
    if (fetched.attemptCount > settings.maxAttempts) return this.#aboveLimit(delivery, definition);
    await this.#run(delivery, definition);
  }

  async #handleStep(delivery: Delivery): Promise<void> {
    const { fetched } = delivery;
    const { steps, settings } = this.#parts;
    const step = await steps.find(fetched);
    switch (step.kind) {
      case "missing":
        return this.#noHandler(fetched, noCodeOfStep(fetched.item));
      case "different":
        return this.#giveBack(
          fetched,
          blockedRelease(this.#parts, fetched, { reason: "nondeterminism", detail: step.detail }),
        );
      case "later":
        return this.#giveBack(fetched, { delayMs: STILL_RUNNING_DELAY_MS, ignoreAttempt: true });
      case "found":
        if (fetched.attemptCount > settings.maxAttempts) return this.#aboveLimit(delivery, step.definition);
        return this.#run(delivery, step.definition);
    }
  }

  #adopted(fetched: FetchedWork): void {
    this.#parts.settings.logger.info(
      { event: "activity_lock_replaced", ...identify(fetched.item) },
      "the lock of a running activity had expired; the run continues under the lock of its new delivery",
    );
  }

  /** A second run at the same time would repeat side effects. Another process may take the activity. */
  async #stillRunning(fetched: FetchedWork): Promise<void> {
    this.#parts.settings.logger.info(
      { event: "activity_still_running", ...identify(fetched.item), delay_ms: STILL_RUNNING_DELAY_MS },
      "an earlier run of the activity has not ended in this process, so it is given back",
    );
    await this.#giveBack(fetched, { delayMs: STILL_RUNNING_DELAY_MS, ignoreAttempt: true });
  }

  async #storeKept(fetched: FetchedWork, outcome: ActivityOutcome): Promise<void> {
    using lock = this.#lock(fetched, () => {});
    await this.#offer(fetched, lock, outcome);
  }

  async #run(delivery: Delivery, definition: AnyActivity | undefined): Promise<void> {
    const { fetched, workerId, free } = delivery;
    // Not `using`, which takes longer for the two than all else in this method.
    const lock = this.#lock(fetched, (reason) => run?.cancellation.request(reason));
    let run: RunningActivity | undefined;
    try {
      run = this.#parts.running.enter(fetched, lock);
      await this.#runUnder(lock, run, { fetched, workerId, free, definition });
    } finally {
      run?.[Symbol.dispose]();
      lock[Symbol.dispose]();
    }
  }

  /**
   * An outcome takes the first way that is open: nowhere if a shutdown abandoned the run, or if another delivery has made
   * its values void (running-activities.A4); into a fused turn; nowhere if the activity was cancelled and its lock is gone;
   * else into a message of its own. An outcome whose lock has expired is kept for the next delivery (running-activities.A1).
   */
  async #runUnder(
    lock: ActivityLock,
    run: RunningActivity,
    { fetched, definition, workerId, free, alone }: Work,
  ): Promise<void> {
    const { settings, starts, loopWatch, fused } = this.#parts;
    const observed = settings.observer.activity(fetched, workerId);
    const { cancellation } = run;
    // Before the lock is checked, and before the handler counts among those that start (handler-starts.HS1).
    const progress = definition === undefined ? undefined : lastProgressOf(settings, fetched);
    const lastProgress = progress === undefined ? undefined : await progress;
    const delivery = { settings, fetched, definition, workerId, run, observed, lastProgress };
    loopWatch.enter(fetched.item.name);
    let outcome: ActivityOutcome | typeof NOT_BEGUN | undefined;
    try {
      // The start may have been delayed, and the event loop blocked meanwhile, so another process may hold the lock.
      const call = (): Promise<typeof outcome> =>
        lock.holds ? observed.run(() => runActivity(delivery)) : Promise.resolve(NOT_BEGUN);
      const { begin } = fetched;
      outcome = await starts.begin(
        begin === undefined ? call : () => inSlot(settings.clock, begin, call, NOT_BEGUN),
      );
    } finally {
      loopWatch.leave(fetched.item.name);
      observed.ended();
    }
    if (outcome === NOT_BEGUN) {
      observed.abandoned();
      // A lone run was taken off the count before it waited.
      return this.#giveBack(fetched, { ignoreAttempt: alone !== true });
    }
    if (run.abandoned || run.superseded) {
      observed.abandoned();
      if (!run.abandoned) await this.#giveBack({ item: fetched.item, lockToken: lock.token }, {});
      return;
    }
    const fusion = outcome === undefined ? false : fused?.offer({ outcome, lock, run, observed });
    if (fusion) {
      free?.();
      if (await fusion) return;
    }
    if (cancellation.requested && lock.isLost) {
      // An acknowledgement without an outcome ends the activity, and the lock may only have seemed lost.
      observed.settled(undefined);
      return;
    }
    const offered = await this.#offer(run.fetched, lock, cancellation.requested ? undefined : outcome);
    if (offered.kind === "stored") observed.settled(offered.outcome);
    else if (cancellation.requested) observed.settled(undefined);
    else observed.notStored();
  }

  async #offer(
    fetched: FetchedWork,
    lock: ActivityLock,
    outcome: ActivityOutcome | undefined,
  ): Promise<Awaited<ReturnType<typeof offerOutcome>>> {
    const { settings, running, health } = this.#parts;
    const offered = await offerOutcome(settings, health, lock, outcome);
    if (offered.kind === "unlocked" && offered.outcome !== undefined) {
      const keptMs = 2 * settings.workerLockTimeoutMs;
      running.keep(fetched, offered.outcome, settings.clock.now() + keptMs);
    }
    if (offered.kind !== "stored") {
      settings.logger.info(
        { event: "activity_outcome_not_stored", ...identify(fetched.item), reason: offered.kind },
        "the outcome of an activity was not stored, because its lock is lost",
      );
    }
    return offered;
  }

  /** `cancel` is called at most once. A handler that ignores it continues, but its outcome is not stored. */
  #lock(fetched: FetchedWork, cancel: (reason: Error) => void): ActivityLock {
    const { settings, locks, graceOver } = this.#parts;
    const onLost = (why: "gone" | "expired", error: unknown): void => {
      settings.logger.info(
        { event: "activity_lock_lost", ...identify(fetched.item), why, error },
        "the activity was cancelled, or its lock is lost",
      );
      cancel(new Error("the activity was cancelled, or its lock is lost", { cause: error }));
    };
    return new ActivityLock({ settings, locks, until: graceOver, onLost }, fetched);
  }

  /** Another process, or a later deployment, may have the handler. */
  #noHandler(fetched: FetchedWork, detail: string): Promise<void> {
    const { settings } = this.#parts;
    const fails = settings.onMissingHandler === "fail";
    if (fails && fetched.attemptCount > settings.maxAttempts) return this.#poison(fetched, detail, true);
    const release = fails
      ? uncodedRelease(this.#parts, fetched, detail)
      : blockedRelease(this.#parts, fetched, { reason: "missing-activity", detail });
    return this.#giveBack(fetched, release);
  }

  /** Only lone runs that end with their process show that the activity is the cause. */
  async #aboveLimit({ fetched, workerId }: Delivery, definition: AnyActivity | undefined): Promise<void> {
    const { loneRuns, running, settings } = this.#parts;
    const marks = this.#loneMarks;
    if (marks.isPoison(fetched)) {
      return this.#poison(fetched, "its process ended while it ran alone", false);
    }
    const waitMs = marks.waitMs(fetched, settings.clock.now());
    if (waitMs > 0) return this.#giveBack(fetched, usedUpRelease(this.#parts, fetched, waitMs));
    using lock = this.#lock(fetched, (reason) => run.cancellation.request(reason));
    // The next delivery of this work has the same count, because this one is taken off it.
    using run = running.enter({ ...fetched, attemptCount: fetched.attemptCount - 1 }, lock);
    // Waiting for a lone run does not count as an attempt; the store counts lone runs separately.
    await lock.forgive();
    const ran = await loneRuns.run(async () => {
      if (!marks.isMarked(fetched)) await lock.markAlone();
      marks.began(fetched, settings.clock.now());
      await this.#runUnder(lock, run, { fetched, definition, workerId, alone: true });
      return true;
    });
    if (ran === undefined) await this.#giveBack(fetched, {});
  }

  async #poison(fetched: FetchedWork, lastError: string, neverRan: boolean): Promise<void> {
    const { settings, health } = this.#parts;
    const { item } = fetched;
    const details = poisonedActivity(fetched, settings.maxAttempts, lastError, neverRan);
    settings.logger.warn(
      {
        event: "activity_poisoned",
        ...identify(item),
        attempt_count: attemptsBefore(fetched),
        max_attempts: settings.maxAttempts,
        last_error: lastError,
      },
      "poison message: activity failed",
    );
    using lock = this.#lock(fetched, () => {});
    const offered = await offerOutcome(settings, health, lock, failedOutcome(item, details));
    if (offered.kind === "stored") settings.observer.poisonedActivity();
  }

  #giveBack({ item, lockToken }: Pick<FetchedWork, "item" | "lockToken">, options: GiveBack): Promise<void> {
    const { provider, logger } = this.#parts.settings;
    const fields = { event: "activity_not_given_back", ...identify(item) };
    const given = provider.abandonWorkItem(lockToken, options);
    return giveBack(given, logger, fields, "giving an activity back failed; its lock will expire");
  }
}

/** Result instead of an outcome: the handler was not called. */
const NOT_BEGUN = "not begun";

interface Delivery {
  readonly fetched: FetchedWork;
  readonly workerId: string;
  /**
   * Called when the handler has ended and the outcome waits for a fused turn: the slot may fetch
   * (activity-dispatcher.D1).
   */
  readonly free?: (() => void) | undefined;
}

interface Work extends Delivery {
  readonly definition: AnyActivity | undefined;
  /** Whether this is a lone run, whose delivery is not counted. */
  readonly alone?: boolean;
}
