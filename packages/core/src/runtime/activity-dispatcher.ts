/**
 * From a fetched activity to its outcome (docs/reference/runtime-semantics.md §3.2). One call handles one
 * activity under its lock; losing the lock means that nobody wants the result any more.
 */
import type { FetchedWork, SessionClaim } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { AnyActivity } from "../define/definitions.ts";
import type { ErrorDetails } from "../wire/error-details.ts";
import type { ActivityExecute, ActivityOutcome } from "../wire/work-item.ts";
import { encodeWorkItem } from "../wire/work-item-codec.ts";
import { acknowledgeWork } from "./activity-ack.ts";
import { runActivity } from "./activity-run.ts";
import { unregisteredDelayMs } from "./backoff.ts";
import { LockRenewal } from "./lock-renewal.ts";
import type { RuntimeSettings } from "./options.ts";
import type { ActivityRegistry } from "./registry.ts";
import type { RunningActivities } from "./running-activities.ts";
import type { SessionSlots } from "./session-slots.ts";
import { isSystemCall } from "./system-activities.ts";

const SESSION_RACE_DELAY_MS = 100;
const ACK_FAILED_DELAY_MS = 100;

export interface ActivityDispatcherParts {
  readonly settings: RuntimeSettings;
  readonly registry: ActivityRegistry;
  readonly running: RunningActivities;
  readonly sessions: SessionSlots;
  /** Aborts when a shutdown waits for nobody any more. */
  readonly graceOver: AbortSignal;
  /** Names this runtime's slots in logs and as session owners. */
  readonly runtimeId: string;
}

export class ActivityDispatcher {
  readonly #parts: ActivityDispatcherParts;

  constructor(parts: ActivityDispatcherParts) {
    this.#parts = parts;
  }

  /** Fetches one activity and runs it; false when there was none. `slot` is the index of the caller. */
  async work(slot: number, signal: AbortSignal): Promise<boolean> {
    const { settings, sessions, runtimeId } = this.#parts;
    const workerId = workerIdOf(slot, runtimeId);
    const session = sessions.isFull ? undefined : this.#sessionClaim(workerId);
    const fetched = await settings.provider.fetchWorkItem({
      lockTimeoutMs: settings.workerLockTimeoutMs,
      pollTimeoutMs: settings.longPollTimeoutMs,
      tagFilter: settings.workerTagFilter,
      ...(session !== undefined && { session }),
      signal,
    });
    if (fetched === undefined) return false;
    using place = sessions.enter(fetched.item.session_id);
    if (place === undefined) await this.#giveBack(fetched, SESSION_RACE_DELAY_MS, true);
    else await this.#handle(fetched, workerId);
    return true;
  }

  #sessionClaim(workerId: string): SessionClaim {
    const { workerNodeId, sessionLockTimeoutMs } = this.#parts.settings;
    return { ownerId: workerNodeId ?? workerId, lockTimeoutMs: sessionLockTimeoutMs };
  }

  async #handle(fetched: FetchedWork, workerId: string): Promise<void> {
    const { settings, registry } = this.#parts;
    const { item, attemptCount } = fetched;
    const definition = registry.get(item.name);
    if (attemptCount > settings.maxAttempts) return this.#poison(fetched);
    if (definition === undefined && !isSystemCall(item.name)) return this.#noHandler(fetched);
    await this.#run(fetched, definition, workerId);
  }

  async #run(fetched: FetchedWork, definition: AnyActivity | undefined, workerId: string): Promise<void> {
    const { settings, running } = this.#parts;
    const { item, lockToken } = fetched;
    using entry = running.enter(item);
    using renewal = this.#keepLock(item, lockToken, (reason) => entry.cancel(reason));
    const observed = settings.observer.activity(fetched, workerId);
    const cancelled = entry.signal;
    const outcome = await observed.run(() =>
      runActivity({ settings, fetched, definition, workerId, cancelled, observed }),
    );
    if (entry.abandoned) return observed.abandoned();
    const outcomeToStore = entry.signal.aborted ? undefined : outcome;
    const stored = await acknowledgeWork(settings, renewal, lockToken, outcomeToStore);
    if (stored || entry.signal.aborted) return observed.settled(stored ? outcomeToStore : undefined);
    observed.notStored();
    await this.#giveBack(fetched, ACK_FAILED_DELAY_MS);
  }

  #keepLock(item: ActivityExecute, lockToken: string, cancel: (reason: Error) => void): LockRenewal {
    const { clock, provider, logger, workerLockTimeoutMs, workerLockRenewalBufferMs } = this.#parts.settings;
    return new LockRenewal({
      clock,
      timeoutMs: workerLockTimeoutMs,
      bufferMs: workerLockRenewalBufferMs,
      renew: () => provider.renewWorkItemLock(lockToken, workerLockTimeoutMs),
      until: this.#parts.graceOver,
      onLost: (error) => {
        logger.info(
          { event: "activity_lock_lost", ...identify(item), error },
          "the activity was cancelled, or its lock is lost",
        );
        cancel(new Error("the activity was cancelled, or its lock is lost", { cause: error }));
      },
    });
  }

  /** Another node may have the handler; the attempts that this costs end in poison. */
  async #noHandler(fetched: FetchedWork): Promise<void> {
    const { settings } = this.#parts;
    const delayMs = unregisteredDelayMs(settings, fetched.attemptCount);
    settings.logger.warn(
      {
        event: "activity_unregistered",
        ...identify(fetched.item),
        attempt_count: fetched.attemptCount,
        max_attempts: settings.maxAttempts,
        remaining_attempts: settings.maxAttempts - fetched.attemptCount,
        delay_ms: delayMs,
      },
      "no handler for this activity is registered here",
    );
    await this.#giveBack(fetched, delayMs);
  }

  async #poison(fetched: FetchedWork): Promise<void> {
    const { settings } = this.#parts;
    const { item, lockToken, attemptCount } = fetched;
    const details = poisonDetails(item, attemptCount, settings.maxAttempts);
    settings.logger.warn(
      {
        event: "activity_poisoned",
        ...identify(item),
        attempt_count: attemptCount,
        max_attempts: settings.maxAttempts,
      },
      "poisoned: the activity is failed",
    );
    const stored = await acknowledgeWork(settings, undefined, lockToken, failed(item, details));
    if (stored) settings.observer.poisonedActivity();
  }

  /** Where even that fails, the lock expires by itself. */
  async #giveBack({ item, lockToken }: FetchedWork, delayMs: number, ignoreAttempt = false): Promise<void> {
    const { provider, logger } = this.#parts.settings;
    try {
      await provider.abandonWorkItem(lockToken, { delayMs, ignoreAttempt });
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      logger.debug(
        { event: "activity_not_given_back", ...identify(item), error },
        "giving an activity back failed; its lock will expire",
      );
    }
  }
}

/** Names a slot in logs and, without a `workerNodeId`, as the owner of sessions. */
export function workerIdOf(slot: number, runtimeId: string): string {
  return `work-${slot}-${runtimeId}`;
}

function identify({ instance, execution_id, name, id }: ActivityExecute): Record<string, unknown> {
  return { instance_id: instance, execution_id, activity_name: name, activity_id: id };
}

function failed({ instance, execution_id, id }: ActivityExecute, details: ErrorDetails): ActivityOutcome {
  return { kind: "ActivityFailed", instance, execution_id, id, details };
}

function poisonDetails(item: ActivityExecute, attempts: number, maxAttempts: number): ErrorDetails {
  const { instance, execution_id, name, id } = item;
  return {
    Poison: {
      attempt_count: attempts,
      max_attempts: maxAttempts,
      message_type: { Activity: { instance, execution_id, activity_name: name, activity_id: id } },
      message: encodeWorkItem(item),
    },
  };
}
