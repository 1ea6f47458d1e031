/** The options of a stress run and their defaults (docs/reference/upstream/validation-catalogue.md). */
import { type Clock, systemClock } from "@duroxide-ts/core";

/** The load. Times are ms. */
export interface StressOptions {
  /** Orchestrations in flight. 20; 5 with large payloads. */
  readonly maxConcurrent?: number;
  /** How long new orchestrations are started: 10,000. The run then waits until all have ended. */
  readonly durationMs?: number;
  /** The exact number of orchestrations, instead of a duration. */
  readonly orchestrations?: number;
  /** The duration of an activity: 10; 5 with large payloads. */
  readonly activityDelayMs?: number;
  /** Turns at a time. 2; 1 with large payloads. */
  readonly orchestrationConcurrency?: number;
  /** Activities at a time. 2; 1 with large payloads. */
  readonly workerConcurrency?: number;
  /** An orchestration that takes longer counts as failed: 60,000; 120,000 with large payloads. */
  readonly waitTimeoutMs?: number;
  /** The clock of the runtime, the client and the report; the store must use the same. The system's by default. */
  readonly clock?: Clock;
}

/** The load of orchestrations that each run several activities at once. */
export interface ParallelOptions extends StressOptions {
  /** Activities of each orchestration, all at once: 5. */
  readonly tasks?: number;
}

/** Options with every default filled in. */
export interface StressSettings extends Required<Omit<StressOptions, "orchestrations">> {
  readonly orchestrations: number | undefined;
}

const COMMON = { durationMs: 10_000, orchestrations: undefined, clock: systemClock };

export function parallelSettings(options: ParallelOptions): StressSettings & { readonly tasks: number } {
  const settings = {
    ...COMMON,
    maxConcurrent: 20,
    activityDelayMs: 10,
    orchestrationConcurrency: 2,
    workerConcurrency: 2,
    waitTimeoutMs: 60_000,
    tasks: 5,
    ...options,
  };
  checkWholeNumber("tasks", settings.tasks, 1);
  return checked(settings);
}

export function largePayloadSettings(options: StressOptions): StressSettings {
  return checked({
    ...COMMON,
    maxConcurrent: 5,
    activityDelayMs: 5,
    orchestrationConcurrency: 1,
    workerConcurrency: 1,
    waitTimeoutMs: 120_000,
    ...options,
  });
}

/** The runtime checks its own. */
function checked<T extends StressSettings>(settings: T): T {
  checkWholeNumber("maxConcurrent", settings.maxConcurrent, 1);
  checkWholeNumber("durationMs", settings.durationMs, 0);
  checkWholeNumber("orchestrations", settings.orchestrations ?? 0, 0);
  checkWholeNumber("activityDelayMs", settings.activityDelayMs, 0);
  checkWholeNumber("waitTimeoutMs", settings.waitTimeoutMs, 0);
  return settings;
}

function checkWholeNumber(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new TypeError(`${name} is ${value}; it must be a whole number of ${least} or more`);
}
