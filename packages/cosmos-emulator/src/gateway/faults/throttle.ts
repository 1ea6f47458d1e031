/**
 * Refuses requests to a physical partition that has used its request units: an even share of those of a budget that a
 * test set, or of those that are provisioned, where the endpoint was told to enforce them (docs/reference/
 * cosmos-protocol.md §3.3).
 */
import { type ProvisionedThroughput, THROTTLED_CHARGE } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Request units per second, or those that are provisioned for the container or its database. */
export type Budget = number | "provisioned";

export interface ThrottleOptions {
  /** Whether containers without a budget are limited by what is provisioned. */
  readonly enforceThroughput: boolean;
  /** Finds the throughput by the names in the path; undefined where there is no such container. */
  provisioned(database: string, container: string): ProvisionedThroughput | undefined;
  monotonicMs(): number;
}

/** The owner of a budget: a container, or one physical partition. */
export interface Limited {
  readonly database: string;
  readonly container: string;
  readonly range?: string | undefined;
}

/** The physical partitions that a request is about. */
export interface Touched {
  readonly ids: readonly string[];
  /** Number of partitions of the container. */
  readonly of: number;
}

/** The partition of a container that is not split, or not known. */
const UNDIVIDED: Touched = { ids: ["0"], of: 1 };

export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #budgets = new Map<string, Budget>();
  /** Buckets by the partition and the budget, or the offer, which several containers may share. */
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(options: ThrottleOptions) {
    this.#options = options;
  }

  /** Tells whether there is a limit at all. */
  get isOn(): boolean {
    return this.#options.enforceThroughput || this.#budgets.size > 0;
  }

  /** Sets a budget, or takes it away with `undefined`. Either way its partitions begin with one second's worth. */
  setBudget(limited: Limited, budget: Budget | undefined): void {
    const key = budgetKey(limited);
    this.#forget(key);
    if (budget === undefined) this.#budgets.delete(key);
    else this.#budgets.set(key, budget);
  }

  clearBudgets(): void {
    for (const key of this.#budgets.keys()) this.#forget(key);
    this.#budgets.clear();
  }

  /** Throws 429/3200 while the request units of one of the partitions are overdrawn. */
  check(database: string, container: string, touched: Touched = UNDIVIDED): void {
    const nowMs = this.#options.monotonicMs();
    const waits = this.#bucketsOf(database, container, touched).map((bucket) => bucket.waitMs(nowMs));
    const waitMs = Math.max(0, ...waits);
    if (waitMs > 0) throw throttled(waitMs);
  }

  spend(database: string, container: string, charge: number, touched: Touched = UNDIVIDED): void {
    const buckets = this.#bucketsOf(database, container, touched);
    const nowMs = this.#options.monotonicMs();
    for (const bucket of buckets) bucket.take(charge / buckets.length, nowMs);
  }

  #bucketsOf(database: string, container: string, { ids, of }: Touched): readonly TokenBucket[] {
    if (!this.isOn) return [];
    return ids.flatMap((range) => {
      const own = budgetKey({ database, container, range });
      const ofOne = this.#budgets.get(own);
      const [key, budget] =
        ofOne === undefined ? [...this.#ofContainer(database, container)] : ([own, ofOne] as const);
      if (budget === undefined) return [];
      const share = ofOne === undefined ? 1 / of : 1;
      if (budget !== "provisioned") return [this.#bucket(`${key} ${range}`, budget * share)];
      const provisioned = this.#options.provisioned(database, container);
      if (provisioned === undefined) return [];
      return [this.#bucket(`offer ${provisioned.offer} ${range}`, provisioned.requestUnitsPerSecond * share)];
    });
  }

  #ofContainer(database: string, container: string): readonly [string, Budget | undefined] {
    const key = budgetKey({ database, container });
    return [key, this.#budgets.get(key) ?? (this.#options.enforceThroughput ? "provisioned" : undefined)];
  }

  /** Returns the bucket, a new one where the throughput was changed meanwhile. */
  #bucket(key: string, perSecond: number): TokenBucket {
    const existing = this.#buckets.get(key);
    if (existing?.perSecond === perSecond) return existing;
    const bucket = new TokenBucket(perSecond, this.#options.monotonicMs());
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #forget(key: string): void {
    for (const name of this.#buckets.keys()) if (name.startsWith(`${key} `)) this.#buckets.delete(name);
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

function budgetKey({ database, container, range }: Limited): string {
  return `budget ${JSON.stringify(range === undefined ? [database, container] : [database, container, range])}`;
}
