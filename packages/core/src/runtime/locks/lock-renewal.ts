/**
 * Renews a lock while work runs under it (docs/reference/runtime-semantics.md §3.3).
 *
 * - lock-renewal.LR1: The end of a renewed lock is counted from the request, not from its answer: the store may have
 *   renewed the lock at any time between the two, and `holds` must not be true longer than the lock.
 * - lock-renewal.LR2: A lock is lost by a `lock-lost` of the store or by its end. Any other failed renewal is repeated
 *   while the lock holds, because the store may recover in time.
 * - lock-renewal.LR3: `onLost` is called at most once, and never after the renewals were disposed: the work has ended
 *   by then.
 * - lock-renewal.LR4: A lock has at most one timer or one request. A second renewal beside it would begin a second
 *   chain of timers.
 */
import { type Member, Members } from "../../collections/members.ts";
import type { CancelTimer, Clock } from "../../contract/clock.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import { renewalIntervalMs } from "../options/options.ts";

export interface RenewalOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** End of the lock, ms since the epoch, if the store reported it; otherwise it ends `timeoutMs` from now. */
  readonly lockedUntilMs?: number | undefined;
  readonly renew: () => Promise<void>;
  /** Ends the renewals at the end of a shutdown, when the handler may still run. */
  readonly until: AbortSignal;
  /**
   * The lock is no longer held. `gone`: the store reported it before its end, so the work was taken away. `expired`:
   * the process was busy or the store out of reach; the work may be delivered here again. Called at most once.
   */
  readonly onLost: (why: "gone" | "expired", error: unknown) => void;
}

/** Number of retries between the first failed renewal and the end of the lock. */
const RETRIES = 5;
/** After the event loop was blocked, a lock of which this part has passed is renewed at once. */
const STALE_PART = 1 / 4;

/** Work begins only under a lock of which at least this part is left; a slow fetch may use up more. */
const LEAST_PART = 1 / 10;

/** Whether the lock of a fresh delivery has expired, or nearly so, and the work must not begin under it. */
export function isNearlyOver(clock: Clock, lockedUntilMs: number | undefined, timeoutMs: number): boolean {
  return lockedUntilMs !== undefined && lockedUntilMs - clock.now() < timeoutMs * LEAST_PART;
}

export class LockRenewal implements Disposable, Member {
  left = false;
  place = 0;
  readonly #options: RenewalOptions;
  /** All renewals of the process that are not disposed, including this one. */
  readonly #active: Members<LockRenewal>;
  readonly #intervalMs: number;
  #expiresAtMs: number;
  #cancelTimer: CancelTimer | undefined;
  #renewing = false;
  #lost = false;

  constructor(options: RenewalOptions, active: Members<LockRenewal> = new Members()) {
    const { clock, timeoutMs, lockedUntilMs } = options;
    this.#options = options;
    this.#active = active;
    active.add(this);
    this.#intervalMs = renewalIntervalMs(timeoutMs);
    const nowMs = clock.now();
    this.#expiresAtMs = lockedUntilMs ?? nowMs + timeoutMs;
    // The part of the lock that had passed when it arrived is taken off the wait for the first renewal.
    this.#renewIn(Math.max(0, this.#intervalMs - Math.max(0, nowMs + timeoutMs - this.#expiresAtMs)));
  }

  /** Whether the lock is still ours, as far as this process can tell. */
  get holds(): boolean {
    return !this.left && !this.#lost && this.#options.clock.now() < this.#expiresAtMs;
  }

  /** Renews a lock now that may not last until its next renewal. Called after the event loop was blocked. */
  renewIfStale(): void {
    const { clock, timeoutMs } = this.#options;
    if (this.left || this.#lost || this.#renewing) return;
    if (this.#expiresAtMs - clock.now() > timeoutMs * (1 - STALE_PART)) return;
    this.#cancelTimer?.();
    void this.#renew();
  }

  [Symbol.dispose](): void {
    this.#cancelTimer?.();
    this.#active.delete(this);
  }

  #renewIn(delayMs: number): void {
    this.#cancelTimer = this.#options.clock.schedule(delayMs, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { clock, renew, timeoutMs, until } = this.#options;
    if (until.aborted) return;
    const askedAtMs = clock.now();
    this.#renewing = true;
    try {
      await renew();
      this.#expiresAtMs = askedAtMs + timeoutMs;
      if (!this.left) this.#renewIn(this.#intervalMs);
    } catch (error) {
      if (!this.left) this.#failed(error);
    } finally {
      this.#renewing = false;
    }
  }

  /** Only a `lock-lost` of the store is final; any other error may pass while the lock still holds. */
  #failed(error: unknown): void {
    const { clock, onLost, timeoutMs } = this.#options;
    const leftMs = this.#expiresAtMs - clock.now();
    const refused = ProviderError.is(error) && error.code === "lock-lost";
    if (!refused && leftMs > 0) {
      const pauseMs = Math.max(1, Math.floor((timeoutMs - this.#intervalMs) / RETRIES));
      this.#renewIn(Math.min(leftMs, pauseMs));
      return;
    }
    this.#lost = true;
    onLost(leftMs > 0 ? "gone" : "expired", error);
  }
}
