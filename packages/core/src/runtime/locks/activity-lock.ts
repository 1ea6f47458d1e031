/**
 * The lock of one activity run, whose token changes when the store delivers the activity again while it runs.
 *
 * - activity-lock.AL1: A lock that is gone is lost at once, because another process may have the activity. A lock that
 *   has expired is lost one lock timeout later: the store may deliver the activity to this process again
 *   (running-activities.A3).
 * - activity-lock.AL2: A replaced lock is no longer renewed and can no longer be lost, because the run continues under
 *   the new one.
 */
import type { CancelTimer } from "../../contract/clock.ts";
import type { FetchedWork, RenewOptions } from "../../contract/provider.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import type { RuntimeSettings } from "../options/options.ts";
import type { HeldLock, HeldLocks } from "./held-locks.ts";

/** A renewal never shortens a lock, so a renewal for 1 ms leaves its end unchanged. */
const SHORTEST_MS = 1;

export interface ActivityLockOptions {
  readonly settings: RuntimeSettings;
  readonly locks: HeldLocks;
  readonly until: AbortSignal;
  /** The result cannot be stored any more: the lock is gone, or it expired and no new delivery replaced it in time. */
  readonly onLost: (why: "gone" | "expired", error: unknown) => void;
}

export class ActivityLock implements Disposable {
  readonly #options: ActivityLockOptions;
  #token: string;
  #held: HeldLock;
  #lost: "gone" | "expired" | undefined;
  #cancelTimer: CancelTimer | undefined;

  constructor(options: ActivityLockOptions, fetched: FetchedWork) {
    this.#options = options;
    this.#token = fetched.lockToken;
    this.#held = this.#keep(fetched);
  }

  get token(): string {
    return this.#token;
  }

  /** Whether an acknowledgement may succeed under the token, as far as this process can tell. */
  get holds(): boolean {
    return this.#held.holds;
  }

  /** Whether the store reported the lock as lost before it expired. */
  get gone(): boolean {
    return this.#lost === "gone";
  }

  /** Whether `onLost` was called: the store may deliver the activity again, or it was cancelled. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** The run continues under the lock of a later delivery, which does not count as an attempt. */
  async replace(fetched: FetchedWork): Promise<void> {
    this[Symbol.dispose]();
    this.#token = fetched.lockToken;
    this.#held = this.#keep(fetched);
    await this.#renew(this.#options.settings.workerLockTimeoutMs, { ignoreAttempt: true });
  }

  /** Takes the last delivery off the attempt count. The end of the lock does not change. */
  async forgive(): Promise<void> {
    await this.#renew(SHORTEST_MS, { ignoreAttempt: true });
  }

  /** Marks this delivery as a lone run; later deliveries report how many there were. */
  async markAlone(): Promise<void> {
    await this.#renew(this.#options.settings.workerLockTimeoutMs, { alone: true });
  }

  /** A renewal that also changes the stored count or mark. If it fails, only that change is missing. */
  async #renew(extendMs: number, options: RenewOptions): Promise<void> {
    const { provider, logger } = this.#options.settings;
    try {
      await provider.renewWorkItemLock(this.#token, extendMs, options);
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      logger.debug({ event: "activity_lock_not_renewed", error }, "a renewal of an activity's lock failed");
    }
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #keep({ lockToken, lockedUntilMs }: FetchedWork): HeldLock {
    const { settings, locks, until, onLost } = this.#options;
    const { clock, provider, workerLockTimeoutMs } = settings;
    return locks.keep({
      clock,
      timeoutMs: workerLockTimeoutMs,
      lockedUntilMs,
      renew: () => provider.renewWorkItemLock(lockToken, workerLockTimeoutMs),
      until,
      onLost: (why, error) => {
        const lose = (): void => {
          this.#lost = why;
          onLost(why, error);
        };
        if (why === "gone") lose();
        else this.#cancelTimer = clock.schedule(workerLockTimeoutMs, lose);
      },
    });
  }
}
