/**
 * Counts the handlers that run, as the outside world sees them.
 *
 * - limit-watch.L1: At each level of a key not more run at the same time than its rule lets.
 * - limit-watch.L2: In no period more begin.
 *
 * A permit is a lock, so a handler whose process may have lost the lock counts no more: one that has died or stood still,
 * and while clocks are wrong or the store fails, each after a short time.
 */
import type { Duration, LimitRule } from "@duroxide-ts/core";
import type { Run } from "../programs/ledger.ts";

export interface LimitWatchOptions {
  readonly rules: Readonly<Record<string, LimitRule>>;
  readonly leaseMs: number;
  /** How long the lock of a handler lasts for sure while there are faults, ms. */
  readonly sureMs: number;
  readonly onViolation: (violation: string) => void;
}

/** Longer than a process stands still at most, and than a request is under way. */
const CALM_AFTER_MS = 25_000;

export class LimitWatch {
  readonly #options: LimitWatchOptions;
  readonly #running = new Map<string, Set<Run>>();
  /** Times at which handlers began, by level. */
  readonly #begun = new Map<string, number[]>();
  #calmFromMs = Number.POSITIVE_INFINITY;

  constructor(options: LimitWatchOptions) {
    this.#options = options;
  }

  /** There are no more faults. */
  faultsEnded(nowMs: number): void {
    this.#calmFromMs = nowMs + CALM_AFTER_MS;
  }

  /** Locks of the store that is gone do not count in the one that took its place. */
  forget(): void {
    this.#running.clear();
    this.#begun.clear();
  }

  began(run: Run): void {
    if (run.limit === undefined || this.#mayBeLate(run)) return;
    for (const level of levelsOf(run.limit)) {
      const rule = ruleOf(level, this.#options.rules);
      if (rule === undefined) continue;
      this.#countRunning(level, rule, run);
      this.#countBegun(level, rule, run);
    }
  }

  ended(run: Run): void {
    for (const level of levelsOf(run.limit ?? "")) this.#running.get(level)?.delete(run);
  }

  /** limit-watch.L1 */
  #countRunning(level: string, { concurrency }: LimitRule, run: Run): void {
    const runs = this.#running.get(level) ?? new Set();
    this.#running.set(level, runs.add(run));
    if (concurrency === undefined) return;
    const sure = [...runs].filter((each) => this.#hasLock(each, run.atMs));
    if (sure.length > concurrency)
      this.#violate(
        level,
        `${sure.map(({ key, machine }) => `${key} in ${machine.name}`).join(", ")} run at once`,
      );
  }

  /** limit-watch.L2 */
  #countBegun(level: string, { rate }: LimitRule, { key, atMs }: Run): void {
    if (rate === undefined || !this.#isExact(atMs)) return;
    const { max, per, burst = 1 } = rate;
    const fromMs = atMs - durationMs(per);
    const begun = [...(this.#begun.get(level) ?? []).filter((each) => each > fromMs), atMs];
    this.#begun.set(level, begun);
    if (begun.length >= max + burst)
      this.#violate(level, `${key} is number ${begun.length} that began in a period`);
  }

  #isExact(atMs: number): boolean {
    return this.#options.sureMs === Number.POSITIVE_INFINITY || atMs >= this.#calmFromMs;
  }

  /** Its process stood still between the lock and the call of the handler, or may have. */
  #mayBeLate({ machine, atMs }: Run): boolean {
    return machine.frozenUntilMs > atMs - 2 * this.#options.leaseMs;
  }

  #hasLock({ machine, atMs }: Run, nowMs: number): boolean {
    if (machine.isDead || machine.frozenUntilMs > atMs) return false;
    return atMs >= this.#calmFromMs || nowMs - atMs <= this.#options.sureMs;
  }

  #violate(level: string, what: string): void {
    this.#options.onViolation(`limit ${level}: ${what}`);
  }
}

function durationMs(per: Duration): number {
  return typeof per === "number" ? per : (per.ms ?? 0) + 1_000 * (per.seconds ?? 0);
}

function levelsOf(key: string): readonly string[] {
  const [group = ""] = key.split("/");
  return group === key ? [key] : [key, group];
}

function ruleOf(level: string, rules: LimitWatchOptions["rules"]): LimitRule | undefined {
  const [group, own] = level.split("/");
  return rules[level] ?? (own === undefined ? undefined : rules[`${group}/*`]);
}
