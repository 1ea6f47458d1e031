/** Every counter and histogram by the name that the Rust runtime gives it (docs/observability.md has the table). */
import type { Counter, Histogram, Meter } from "./meter.ts";

export interface Instruments {
  readonly starts: Counter;
  readonly completions: Counter;
  readonly failures: Counter;
  readonly infrastructureErrors: Counter;
  readonly configurationErrors: Counter;
  readonly continuations: Counter;
  readonly poison: Counter;
  readonly durations: Histogram;
  readonly turns: Histogram;
  readonly historySizes: Histogram;
  readonly activityExecutions: Counter;
  readonly activityInfrastructureErrors: Counter;
  readonly activityPoison: Counter;
  readonly activityRetries: Counter;
  readonly setAside: Counter;
  readonly activityDurations: Histogram;
  readonly activityQueueTimes: Histogram;
  readonly scheduleLateness: Histogram;
  readonly scheduleFailures: Counter;
  readonly providerDurations: Histogram;
  readonly providerErrors: Counter;
}

const ORCHESTRATION_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 1_800, 3_600];
const ACTIVITY_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300];
const PROVIDER_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const TURNS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const EVENTS = [10, 50, 100, 500, 1_000, 5_000, 10_000];

export function createInstruments(meter: Meter): Instruments {
  const counter = (name: string, description: string): Counter =>
    meter.createCounter(`duroxide_${name}`, { description });
  const histogram = (name: string, description: string, unit: string, buckets: number[]): Histogram =>
    meter.createHistogram(`duroxide_${name}`, {
      description,
      unit,
      advice: { explicitBucketBoundaries: buckets },
    });
  return {
    starts: counter("orchestration_starts_total", "Executions begun"),
    completions: counter("orchestration_completions_total", "Executions ended"),
    failures: counter("orchestration_failures_total", "Executions ended by a failure"),
    infrastructureErrors: counter(
      "orchestration_infrastructure_errors_total",
      "Executions failed by the infrastructure, and turns that could not be committed",
    ),
    configurationErrors: counter(
      "orchestration_configuration_errors_total",
      "Executions failed by their configuration, such as code that does not fit its history",
    ),
    continuations: counter("orchestration_continue_as_new_total", "Executions ended by continue-as-new"),
    poison: counter("orchestration_poison_total", "Executions failed as poison: too many delivery attempts"),
    durations: histogram(
      "orchestration_duration_seconds",
      "From the start of an execution to its end",
      "s",
      ORCHESTRATION_SECONDS,
    ),
    turns: histogram("orchestration_turns", "Turns of an ended execution", "{turn}", TURNS),
    historySizes: histogram("orchestration_history_size", "Events of an ended execution", "{event}", EVENTS),
    activityExecutions: counter("activity_executions_total", "Activities whose outcome is settled"),
    activityInfrastructureErrors: counter(
      "activity_infrastructure_errors_total",
      "Outcomes that could not be stored",
    ),
    activityPoison: counter(
      "activity_poison_total",
      "Activities failed as poison: too many delivery attempts",
    ),
    setAside: counter("messages_set_aside_total", "Messages that did not fit the schema of their wait"),
    activityRetries: counter("activity_retries_total", "Further attempts by retry policies"),
    activityDurations: histogram("activity_duration_seconds", "Time in the handler", "s", ACTIVITY_SECONDS),
    activityQueueTimes: histogram(
      "activity_queue_seconds",
      "Wait of an activity for its limit and a worker",
      "s",
      ACTIVITY_SECONDS,
    ),
    scheduleLateness: histogram(
      "schedule_lateness_seconds",
      "From a due time, and its jitter, to the start of its run",
      "s",
      ACTIVITY_SECONDS,
    ),
    scheduleFailures: counter("schedule_start_failures_total", "Due times whose run could not be started"),
    providerDurations: histogram(
      "provider_operation_duration_seconds",
      "One call of the provider",
      "s",
      PROVIDER_SECONDS,
    ),
    providerErrors: counter("provider_errors_total", "Calls of the provider that failed"),
  };
}
