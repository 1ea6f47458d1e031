/**
 * Counts the resources that a process of the storm holds. Each reports them all the time, and must not hold more and
 * more.
 */
import type { ChildProcess } from "node:child_process";
import { getEventListeners } from "node:events";

const REPORT_EVERY_MS = 200;

/** Reports of a life that are compared at least. */
const LEAST_REPORTS = 12;

interface Resources {
  /** Number of listeners of the signal that has most. */
  readonly listeners: number;
  readonly timers: number;
  readonly heapMb: number;
}

/** Difference by which the last reports may exceed twice the first ones. */
const MARGINS: Resources = { listeners: 50, timers: 100, heapMb: 100 };

/** Reports the resources of this process, which a storm has started. */
export function reportResources(): void {
  let signals: WeakRef<AbortSignal>[] = [];
  const { addEventListener } = AbortSignal.prototype;
  AbortSignal.prototype.addEventListener = function (
    this: AbortSignal,
    ...args: Parameters<typeof addEventListener>
  ) {
    if (getEventListeners(this, "abort").length === 0) signals.push(new WeakRef(this));
    return addEventListener.apply(this, args);
  };
  setInterval(() => {
    const counts = signals.map((each) => {
      const signal = each.deref();
      return signal === undefined ? 0 : getEventListeners(signal, "abort").length;
    });
    signals = signals.filter((_, index) => counts[index] !== 0);
    const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const heapMb = Math.round(process.memoryUsage().heapUsed / 1e6);
    process.send?.({ listeners: counts.reduce((most, count) => Math.max(most, count), 0), timers, heapMb });
  }, REPORT_EVERY_MS).unref();
}

/** The reports of one life of a process. */
export class HeldResources {
  readonly #reports: Resources[] = [];

  constructor(process: ChildProcess) {
    process.on("message", (report) => {
      if (typeof report === "object") this.#reports.push(report as Resources);
    });
  }

  /** Resources that grew while it lived. The first third is not compared, because a process begins with nothing. */
  get growth(): readonly string[] {
    if (this.#reports.length < LEAST_REPORTS) return [];
    const third = Math.floor(this.#reports.length / 3);
    const [early, late] = [this.#reports.slice(third, 2 * third), this.#reports.slice(-third)];
    return (["listeners", "timers", "heapMb"] as const).flatMap((name) => {
      const [before, after] = [least(early, name), least(late, name)];
      return after <= 2 * before + MARGINS[name] ? [] : [`a process had ${before} ${name}, later ${after}`];
    });
  }
}

function least(reports: readonly Resources[], name: keyof Resources): number {
  return reports.reduce((lowest, report) => Math.min(lowest, report[name]), Number.POSITIVE_INFINITY);
}
