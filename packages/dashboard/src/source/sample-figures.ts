/** Figures of a sample of instances. */
import { instanceState } from "@duroxide-ts/core/operate";
import type { InstanceCount, InstanceSummary } from "@duroxide-ts/core/stores";
import type { Minute, OrchestrationFigures, RunningKind } from "../page/shapes/overview.ts";

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Returns what runs, by name and version: most first. */
export function runningOf(running: readonly InstanceCount[]): RunningKind[] {
  return figuresOf(running, []).map(({ name, version, running: count }) => ({
    name,
    version,
    running: count,
  }));
}

/** Returns figures by name and version: those that run most first. */
export function figuresOf(
  running: readonly InstanceCount[],
  sample: readonly InstanceSummary[],
): OrchestrationFigures[] {
  const kinds = new Map<
    string,
    { name: string; version: string; running: number; failed: number; took: number[] }
  >();
  const kindOf = (name: string, version: string) => {
    const key = JSON.stringify([name, version]);
    const kind = kinds.get(key) ?? { name, version, running: 0, failed: 0, took: [] };
    kinds.set(key, kind);
    return kind;
  };
  for (const { key, count } of running) kindOf(key[0] ?? "", key[1] ?? "").running += count;
  for (const instance of sample) {
    const { orchestrationName, orchestrationVersion, createdAtMs, updatedAtMs } = instance;
    const kind = kindOf(orchestrationName, orchestrationVersion);
    const state = instanceState(instance);
    if (state === "failed") kind.failed++;
    if (state === "completed") kind.took.push(updatedAtMs - createdAtMs);
  }
  return [...kinds.values()]
    .map(({ took, ...kind }) => ({ ...kind, completed: took.length, ...percentiles(took) }))
    .sort((a, b) => b.running - a.running || b.completed + b.failed - a.completed - a.failed);
}

function percentiles(took: number[]): Pick<OrchestrationFigures, "medianMs" | "p99Ms"> {
  took.sort((a, b) => a - b);
  const at = (part: number): number | undefined =>
    took[Math.min(took.length - 1, Math.floor(took.length * part))];
  const [medianMs, p99Ms] = [at(0.5), at(0.99)];
  return medianMs === undefined || p99Ms === undefined ? {} : { medianMs, p99Ms };
}

/** The last hour, oldest first. */
export function minutesOf(sample: readonly InstanceSummary[], nowMs: number): Minute[] {
  const lastMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const minutes = Array.from({ length: MINUTES }, (_, n) => ({
    atMs: lastMs - (MINUTES - 1 - n) * MINUTE_MS,
    started: 0,
    completed: 0,
    failed: 0,
  }));
  const minuteOf = (ms: number) =>
    minutes[MINUTES - 1 - Math.floor((lastMs + MINUTE_MS - 1 - ms) / MINUTE_MS)];
  for (const instance of sample) {
    const [started, ended] = [minuteOf(instance.createdAtMs), minuteOf(instance.updatedAtMs)];
    const state = instanceState(instance);
    if (started !== undefined) started.started++;
    if (ended === undefined) continue;
    if (state === "completed") ended.completed++;
    if (state === "failed") ended.failed++;
  }
  return minutes;
}
