/** Renews a lock while work runs under it (docs/reference/runtime-semantics.md §3.3). */
import { type Member, Members } from "../collections/members.ts";
import type { CancelTimer, Clock } from "../contract/clock.ts";
import { ProviderError } from "../contract/provider-error.ts";

export interface RenewalOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly bufferMs: number;
  /** When the lock ends, where the store said so; else it ends `timeoutMs` from now. */
  readonly lockedUntilMs?: number | undefined;
  readonly renew: () => Promise<void>;
  /** Ends the renewals: the runtime is gone, though the handler that it worked for may still run. */
  readonly until: AbortSignal;
  /**
   * The lock is no longer held. `gone`: the store says so before its end, so the work was taken away. `expired`: its
   * time ran out, because the process was busy or the store out of reach; the work may come back. Called at most once.
   */
  readonly onLost: (why: "gone" | "expired", error: unknown) => void;
}

const LONG_LOCK_MS = 15_000;
/** Between the first failed renewal and the end of the lock. */
const RETRIES = 5;
/** A lock of which this part is over is renewed at once after the process stood still. */
const STALE_PART = 1 / 4;

/** Long locks are renewed a buffer before their end, short ones at half their time. */
export function renewalIntervalMs(timeoutMs: number, bufferMs: number): number {
  if (timeoutMs < LONG_LOCK_MS) return Math.max(1, Math.floor(timeoutMs / 2));
  return Math.max(1_000, timeoutMs - Math.min(bufferMs, timeoutMs));
}

/** Less of a fresh lock than this is left where taking it was slow: too little to begin work under it. */
const LEAST_PART = 1 / 10;

/** Whether a lock that was just handed out is over, or nearly, so that the work must not begin under it. */
export function isNearlyOver(clock: Clock, lockedUntilMs: number | undefined, timeoutMs: number): boolean {
  return lockedUntilMs !== undefined && lockedUntilMs - clock.now() < timeoutMs * LEAST_PART;
}

export class LockRenewal implements Disposable, Member {
  left = false;
  readonly #options: RenewalOptions;
  /** Those that are not disposed, this one included. */
  readonly #active: Members<LockRenewal>;
  readonly #intervalMs: number;
  #expiresAtMs: number;
  #cancelTimer: CancelTimer | undefined;
  #renewing = false;
  #lost = false;

  constructor(options: RenewalOptions, active: Members<LockRenewal> = new Members()) {
    const { clock, timeoutMs, bufferMs, lockedUntilMs } = options;
    this.#options = options;
    this.#active = active;
    active.add(this);
    this.#intervalMs = renewalIntervalMs(timeoutMs, bufferMs);
    const nowMs = clock.now();
    this.#expiresAtMs = lockedUntilMs ?? nowMs + timeoutMs;
    // What of the lock was over at its hand-out is missing before the first renewal.
    this.#renewIn(Math.max(0, this.#intervalMs - Math.max(0, nowMs + timeoutMs - this.#expiresAtMs)));
  }

  /** Whether the lock is still ours, as far as this process can tell. */
  get holds(): boolean {
    return !this.left && !this.#lost && this.#options.clock.now() < this.#expiresAtMs;
  }

  /** The process stood still for a while: renews now what may not last until the next time. */
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

  /** Only the store's word that the lock is lost is final; any other fault may pass while the lock still holds. */
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
