/** Counts executions that a commit begins or ends. */
import { cleanUpFailureOf, type ErrorDetails, errorCategory } from "../wire/error-details.ts";
import type { EventOf, HistoryEvent } from "../wire/event.ts";
import type { ExecutionEnd, ObservedExecution } from "./execution.ts";
import type { Instruments } from "./instruments.ts";

export function countStart(
  { starts }: Instruments,
  { executionId, name, version }: ObservedExecution,
  { parent_instance: parent }: EventOf<"OrchestrationStarted">,
): void {
  const initiatedBy = executionId > 1 ? "continueAsNew" : parent === null ? "client" : "suborchestration";
  starts.add(1, { orchestration_name: name, version, initiated_by: initiatedBy });
}

/** Counts a retry with the event of its attempt, so after its pause. */
export function countRetries(
  { activityRetries }: Instruments,
  { name: orchestration_name }: ObservedExecution,
  delta: readonly HistoryEvent[],
): void {
  for (const event of delta) {
    if (event.type !== "ActivityScheduled" || event.retry_of === undefined) continue;
    activityRetries.add(1, { activity_name: event.name, orchestration_name });
  }
}

/** Counts messages that a turn has set aside. */
export function countSetAside(
  { setAside }: Instruments,
  { name: orchestration_name }: ObservedExecution,
  delta: readonly HistoryEvent[],
): void {
  for (const event of delta) {
    const count = ("set_aside" in event ? event.set_aside?.length : undefined) ?? 0;
    if (count > 0) setAside.add(count, { orchestration_name });
  }
}

export interface FinalFigures {
  readonly turns: number;
  readonly historyEvents: number;
  /** Absent if the history with the start time cannot be read. */
  readonly durationMs: number | undefined;
}

export function countEnd(
  instruments: Instruments,
  { name: orchestration_name, version }: ObservedExecution,
  end: ExecutionEnd,
  { turns, historyEvents, durationMs }: FinalFigures,
): void {
  const labels = { orchestration_name, version, status: STATUS[end.kind] };
  instruments.completions.add(1, { ...labels, final_turn_count: turnBucket(turns) });
  if (durationMs !== undefined) instruments.durations.record(durationMs / 1_000, labels);
  instruments.turns.record(turns, { orchestration_name });
  instruments.historySizes.record(historyEvents, { orchestration_name });
  if (end.kind === "continued-as-new") instruments.continuations.add(1, { orchestration_name });
  if (end.kind === "failed") countFailure(instruments, { orchestration_name, version }, end.details);
}

function countFailure(
  instruments: Instruments,
  labels: { readonly orchestration_name: string; readonly version: string },
  details: ErrorDetails,
): void {
  const category = errorCategory(details);
  const errorType = cleanUpFailureOf(details) === undefined ? ERROR_TYPE[category] : "clean_up_failed";
  const error = { error_type: errorType, error_category: category };
  instruments.failures.add(1, { ...labels, ...error });
  const { orchestration_name } = labels;
  const narrow = { orchestration_name, error_category: category };
  if (category === "infrastructure") instruments.infrastructureErrors.add(1, narrow);
  if (category === "configuration") instruments.configurationErrors.add(1, narrow);
}

const STATUS = { completed: "success", failed: "failed", "continued-as-new": "continuedAsNew" } as const;

const ERROR_TYPE = {
  application: "app_error",
  infrastructure: "infrastructure_error",
  configuration: "config_error",
  poison: "unknown",
} as const;

function turnBucket(turns: number): string {
  if (turns <= 5) return "1-5";
  if (turns <= 10) return "6-10";
  return turns <= 50 ? "11-50" : "50+";
}
