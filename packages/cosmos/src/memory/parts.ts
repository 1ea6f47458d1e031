/**
 * The two contexts of the functions of this package: `Parts` lives as long as the provider, `Work` as long as one call of a
 * contract method.
 */
import { type Clock, ProviderError, sleep } from "@duroxide-ts/core";
import { spreadMs } from "../service/persist.ts";
import { Call } from "../service/requests.ts";
import type { Service } from "../service/service.ts";
import type { Memory } from "./memory.ts";

/** The first pause after a conflict with other writers: longer than a write takes. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** Made once, by the provider. */
export interface Parts {
  readonly service: Service;
  readonly clock: Clock;
  readonly memory: Memory;
}

/** The requests of one contract method, with the parts. */
export class Work extends Call implements Parts {
  readonly service: Service;
  readonly memory: Memory;

  /** The requests are retried for this time from now. */
  constructor({ service, memory }: Parts, operation: string, forMs: number, signal?: AbortSignal) {
    super(service.wire, service.deadline(operation, forMs, signal));
    this.service = service;
    this.memory = memory;
  }

  /** Other requests of the same method, which have a time of their own. */
  within(forMs: number, signal?: AbortSignal): Work {
    return new Work(this, this.operation, forMs, signal);
  }

  /**
   * Waits before a retry after a conflict with other writers: resolves at once after the first attempt, then
   * after a growing pause. Throws `unavailable` when the time of the call is over.
   */
  async again(attempt: number): Promise<void> {
    const { clock, service } = this;
    if (attempt > 1) {
      const delayMs = spreadMs(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, attempt - 2, service.random);
      await sleep(clock, Math.ceil(delayMs), this.signal);
    }
    if (clock.now() < this.untilMs && this.signal?.aborted !== true) return;
    const message =
      "other writes of this or other processes kept changing the same documents until the time was over; the same call may succeed later";
    throw new ProviderError({ code: "unavailable", operation: this.operation, message });
  }
}
