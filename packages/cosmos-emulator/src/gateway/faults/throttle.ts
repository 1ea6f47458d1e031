/**
 * Refuses requests of a container that has used its request units: those of a budget that a test set, or those that
 * are provisioned, where the endpoint was told to enforce them (docs/reference/cosmos-protocol.md §3.3).
 */
import { type ProvisionedThroughput, THROTTLED_CHARGE } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Request units per second, or as many as the container or its database was given. */
export type Budget = number | "provisioned";

export interface ThrottleOptions {
  /** Whether containers without a budget are limited by what is provisioned. */
  readonly enforceThroughput: boolean;
  /** By the names in the path; undefined where there is no such container. */
  provisioned(database: string, container: string): ProvisionedThroughput | undefined;
  monotonicMs(): number;
}

export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #budgets = new Map<string, Budget>();
  /** By the container whose budget it is, or by the offer, which several containers may share. */
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(options: ThrottleOptions) {
    this.#options = options;
  }

  /** `undefined` takes the budget away. Either way the container begins with one second's worth. */
  setBudget(database: string, container: string, budget: Budget | undefined): void {
    const key = budgetKey(database, container);
    this.#buckets.delete(key);
    if (budget === undefined) this.#budgets.delete(key);
    else this.#budgets.set(key, budget);
  }

  clearBudgets(): void {
    for (const key of this.#budgets.keys()) this.#buckets.delete(key);
    this.#budgets.clear();
  }

  /** Throws 429/3200 while the container's request units are overdrawn. */
  check(database: string, container: string): void {
    const waitMs = this.#bucketOf(database, container)?.waitMs(this.#options.monotonicMs()) ?? 0;
    if (waitMs > 0) throw throttled(waitMs);
  }

  spend(database: string, container: string, charge: number): void {
    this.#bucketOf(database, container)?.take(charge, this.#options.monotonicMs());
  }

  #bucketOf(database: string, container: string): TokenBucket | undefined {
    const key = budgetKey(database, container);
    const budget = this.#budgets.get(key) ?? (this.#options.enforceThroughput ? "provisioned" : undefined);
    if (budget === undefined) return undefined;
    if (budget !== "provisioned") return this.#bucket(key, budget);
    const provisioned = this.#options.provisioned(database, container);
    return provisioned && this.#bucket(`offer ${provisioned.offer}`, provisioned.requestUnitsPerSecond);
  }

  /** A new one where the throughput was changed meanwhile. */
  #bucket(key: string, perSecond: number): TokenBucket {
    const existing = this.#buckets.get(key);
    if (existing?.perSecond === perSecond) return existing;
    const bucket = new TokenBucket(perSecond, this.#options.monotonicMs());
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

export function throttled(retryAfterMs: number, substatus = 3200, message?: string): CosmosError {
  return new CosmosError({
    status: 429,
    substatus,
    code: "TooManyRequests",
    message:
      message ??
      "Request rate is large. More request units may be needed, so no changes were made. Please retry later.",
    charge: THROTTLED_CHARGE,
    retryAfterMs,
  });
}

function budgetKey(database: string, container: string): string {
  return `budget ${JSON.stringify([database, container])}`;
}
