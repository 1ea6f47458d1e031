/** The sum of the results of many seeds. */
import type { JobResult } from "./job.ts";

/** Every seed has so much at least; the report says how many had less. */
interface Floor {
  readonly orchestrations: number;
  readonly faults: number;
}

const FLOOR: Floor = { orchestrations: 20, faults: 10 };

export class Tally {
  readonly failed: JobResult[] = [];
  readonly #startedMs: number;
  #seeds = 0;
  #orchestrations = 0;
  #fewestOrchestrations = Number.POSITIVE_INFINITY;
  #fewestFaults = Number.POSITIVE_INFINITY;
  #belowFloor = 0;
  #activityRuns = 0;
  #virtualMs = 0;
  #steps = 0;
  #cpuMs = 0;
  /** How often each fault hit each target. */
  readonly #hits = new Map<string, Map<string, number>>();
  /** Number of seeds in which each fault hit something. */
  readonly #seedsWith = new Map<string, number>();
  /** How often each durable call was made by programs that have ended. */
  readonly #calls = new Map<string, number>();

  constructor(nowMs: number) {
    this.#startedMs = nowMs;
  }

  get seeds(): number {
    return this.#seeds;
  }

  add(result: JobResult): void {
    const faults = result.faults.reduce((sum, [, , times]) => sum + times, 0);
    this.#seeds++;
    this.#orchestrations += result.orchestrations;
    this.#fewestOrchestrations = Math.min(this.#fewestOrchestrations, result.orchestrations);
    this.#fewestFaults = Math.min(this.#fewestFaults, faults);
    if (result.orchestrations < FLOOR.orchestrations || faults < FLOOR.faults) this.#belowFloor++;
    this.#activityRuns += result.activityRuns;
    this.#virtualMs += result.virtualMs;
    this.#steps += result.steps;
    this.#cpuMs += result.cpuMs;
    for (const [fault, target, times] of result.faults) {
      const targets = this.#hits.get(fault) ?? new Map<string, number>();
      this.#hits.set(fault, targets.set(target, (targets.get(target) ?? 0) + times));
    }
    for (const fault of new Set(result.faults.map(([fault]) => fault))) {
      this.#seedsWith.set(fault, (this.#seedsWith.get(fault) ?? 0) + 1);
    }
    for (const [call, times] of result.calls) this.#calls.set(call, (this.#calls.get(call) ?? 0) + times);
    if (result.violations.length > 0) this.failed.push(result);
  }

  progress(nowMs: number, ofSeeds: number): string {
    const perMinute = Math.round((this.#seeds * 60_000) / Math.max(1, nowMs - this.#startedMs));
    const bar = "#".repeat(Math.round((20 * this.#seeds) / ofSeeds)).padEnd(20, ".");
    return `[${bar}] ${this.#seeds}/${ofSeeds} seeds, ${perMinute} a minute, ${this.failed.length} failed`;
  }

  report(nowMs: number): string {
    const seconds = (nowMs - this.#startedMs) / 1_000;
    const cpuSeconds = this.#cpuMs / 1_000 / Math.max(1, this.#seeds);
    const perMinute = Math.round((this.#seeds * 60) / Math.max(1, seconds));
    return [
      `${this.#seeds} seeds in ${seconds.toFixed(0)} s (${perMinute} a minute, ${cpuSeconds.toFixed(2)} s of CPU time each)`,
      `${this.#orchestrations} instances, ${this.#activityRuns} runs of activities, ${this.#steps} steps, ${(this.#virtualMs / 3_600_000).toFixed(1)} hours of virtual time`,
      `each seed: at least ${this.#fewestOrchestrations} instances and ${this.#fewestFaults} faults; ${this.#belowFloor} seeds had less than ${FLOOR.orchestrations} or ${FLOOR.faults}`,
      "",
      "Which faults hit which requests:",
      ...table("fault", this.#faultRows()),
      "",
      "Durable calls of programs:",
      [...this.#calls]
        .toSorted(byName)
        .map(([call, times]) => `${call} ${times}`)
        .join(", "),
      "",
      `${this.failed.length} seeds with violations`,
    ].join("\n");
  }

  #faultRows(): readonly (readonly [string, ReadonlyMap<string, number>])[] {
    return [...this.#hits]
      .toSorted(byName)
      .map(([fault, targets]) => [fault, new Map([["seeds", this.#seedsWith.get(fault) ?? 0], ...targets])]);
  }
}

/** Formats a table in Markdown. Its columns are those that some row has. */
function table(
  corner: string,
  rows: readonly (readonly [string, ReadonlyMap<string, number>])[],
): readonly string[] {
  const names = new Set(rows.flatMap(([, cells]) => [...cells.keys()]));
  const columns = ["seeds", ...[...names].filter((name) => name !== "seeds").toSorted()];
  return [
    `| ${[corner, ...columns].join(" | ")} |`,
    `|---|${columns.map(() => "---:|").join("")}`,
    ...rows.map(
      ([name, cells]) => `| ${[name, ...columns.map((column) => cells.get(column) ?? "")].join(" | ")} |`,
    ),
  ];
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a.localeCompare(b);
}
