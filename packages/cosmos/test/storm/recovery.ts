/**
 * How soon work is searched for in the partitions that a split or a merge leaves: from the first request to the old or
 * the new ones until each of the new ones has answered a query. By the log of the endpoint, so it does not matter which
 * process asks. Where a process died or stood still meanwhile, another one may have to notice the change anew.
 */
import { setTimeout } from "node:timers/promises";
import type { LoggedRequest, RequestLog } from "@duroxide-ts/cosmos-emulator";

const LOOK_EVERY_MS = 20;

interface Change {
  readonly atMs: number;
  /** Ids of the ranges before and after. */
  readonly ranges: ReadonlySet<string>;
  /** New ranges that have not answered yet. */
  readonly missing: Set<string>;
  /** Time at which a process first asked one of them. */
  noticedAtMs: number | undefined;
}

export interface Recovered {
  readonly ms: number;
  /** A process died or stood still meanwhile. */
  readonly isDisturbed: boolean;
}

/** Time that a process needs to start in place of one that died, ms. */
const STARTING_MS = 1_000;

/** Disposing forgets the changes that no process has recovered from yet. */
export class Recovery implements AsyncDisposable {
  readonly #log: RequestLog;
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;
  readonly #troubledAtMs: () => number | undefined;
  /** Times after the changes that were not overtaken by the next one. */
  readonly recovered: Recovered[] = [];
  #open: Change[] = [];
  #seen = 0;

  /** `troubledAtMs`: when a process died or was frozen or thawed last, ms since the epoch. */
  constructor(log: RequestLog, troubledAtMs: () => number | undefined) {
    this.#log = log;
    this.#troubledAtMs = troubledAtMs;
    this.#watching = this.#watch();
  }

  begin(gone: readonly string[], ranges: readonly string[]): void {
    // Those of the changes before are gone again, or were searched.
    this.#open = this.#open.filter(({ missing }) => missing.size > 0 && !gone.some((id) => missing.has(id)));
    this.#open.push({
      atMs: Date.now(),
      ranges: new Set([...gone, ...ranges]),
      missing: new Set(ranges),
      noticedAtMs: undefined,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      for (const entry of this.#log.entries(this.#seen)) this.#take(entry);
      await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  #take({ sequence, range, status, atMs }: LoggedRequest): void {
    this.#seen = sequence;
    if (range === undefined) return;
    for (const change of this.#open) {
      if (atMs < change.atMs || !change.ranges.has(range)) continue;
      change.noticedAtMs ??= atMs;
      if (status !== 200 || !change.missing.delete(range) || change.missing.size > 0) continue;
      const troubledAtMs = this.#troubledAtMs() ?? 0;
      const isDisturbed = troubledAtMs > change.noticedAtMs - STARTING_MS;
      this.recovered.push({ ms: atMs - change.noticedAtMs, isDisturbed });
    }
  }
}

export function describeRecovery(recovered: readonly Recovered[]): string {
  const undisturbed = recovered.filter(({ isDisturbed }) => !isDisturbed);
  const [own, all] = [undisturbed, recovered].map((each) => {
    const times = each.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const [median = "–", most = "–"] = [times[Math.floor(times.length / 2)], times.at(-1)];
    return `${each.length}, work searched for in all new partitions after ${median} ms (median), ${most} ms at most`;
  });
  return `${own}; with those during which a process died ${all}`;
}
