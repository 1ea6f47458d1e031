/** What many seeds came to. */
import type { JobResult } from "./job.ts";

export class Tally {
  readonly failed: JobResult[] = [];
  readonly #startedMs: number;
  #seeds = 0;
  #orchestrations = 0;
  #activityRuns = 0;
  #virtualMs = 0;
  #steps = 0;
  #cpuMs = 0;
  readonly #faults = new Map<string, { times: number; seeds: number }>();

  constructor(nowMs: number) {
    this.#startedMs = nowMs;
  }

  get seeds(): number {
    return this.#seeds;
  }

  add(result: JobResult): void {
    this.#seeds++;
    this.#orchestrations += result.orchestrations;
    this.#activityRuns += result.activityRuns;
    this.#virtualMs += result.virtualMs;
    this.#steps += result.steps;
    this.#cpuMs += result.cpuMs;
    for (const [name, times] of result.faults) {
      const count = this.#faults.get(name) ?? { times: 0, seeds: 0 };
      this.#faults.set(name, { times: count.times + times, seeds: count.seeds + 1 });
    }
    if (result.violations.length > 0) this.failed.push(result);
  }

  progress(nowMs: number, ofSeeds: number): string {
    const perMinute = Math.round((this.#seeds * 60_000) / Math.max(1, nowMs - this.#startedMs));
    const bar = "#".repeat(Math.round((20 * this.#seeds) / ofSeeds)).padEnd(20, ".");
    return `[${bar}] ${this.#seeds}/${ofSeeds} seeds, ${perMinute} a minute, ${this.failed.length} failed`;
  }

  report(nowMs: number): string {
    const seconds = (nowMs - this.#startedMs) / 1_000;
    const faults = [...this.#faults].toSorted(([a], [b]) => a.localeCompare(b));
    return [
      `${this.#seeds} seeds in ${seconds.toFixed(0)} s (${Math.round((this.#seeds * 60) / Math.max(1, seconds))} a minute, ${(this.#cpuMs / 1_000 / Math.max(1, this.#seeds)).toFixed(2)} s of CPU time each)`,
      `${this.#orchestrations} instances, ${this.#activityRuns} runs of activities, ${this.#steps} steps, ${(this.#virtualMs / 3_600_000).toFixed(1)} hours of virtual time`,
      ...faults.map(([name, { times, seeds }]) => `  ${name.padEnd(22)} ${times} times in ${seeds} seeds`),
      `${this.failed.length} seeds with violations`,
    ].join("\n");
  }
}
