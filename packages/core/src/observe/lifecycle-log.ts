/** The log entries of orchestrations and activities that begin and end; docs/observability.md lists all entries. */
import { ignoreEntry, type LogFields, type Logger } from "../define/logger.ts";
import { cancellationOf, cleanUpFailureOf, type ErrorDetails, errorCategory } from "../wire/error-details.ts";
import type { ActivityExecute, ActivityOutcome } from "../wire/work-item.ts";
import { type ExecutionEnd, failureFields, type ObservedExecution } from "./execution.ts";
import type { FinalFigures } from "./orchestration-metrics.ts";

/** The stack of a failure, with its causes. */
interface Stack {
  readonly stack: string | undefined;
}

export function logStart(logger: Logger, execution: ObservedExecution): void {
  logger.debug({ event: "orchestration_started", ...identify(execution) }, "orchestration started");
}

export function logEnd(
  logger: Logger,
  execution: ObservedExecution,
  end: ExecutionEnd,
  { historyEvents, durationMs, stack }: FinalFigures & Stack,
): void {
  const fields = { ...identify(execution), history_events: historyEvents, duration_ms: durationMs };
  if (end.kind === "completed") {
    const result = { outcome: "success", result_size: end.output.length };
    logger.debug({ event: "orchestration_completed", ...fields, ...result }, "orchestration completed");
  } else if (end.kind === "continued-as-new") {
    const event = "orchestration_continued_as_new";
    logger.debug({ event, ...fields, outcome: "continuedAsNew" }, "orchestration continued as new");
  } else {
    const failure = failureFields(end.details, stack);
    const { level, text } = howFailed(end.details);
    logger[level]({ event: "orchestration_failed", ...fields, ...failure }, text);
  }
}

/** A cancellation that somebody wished is no failure, unless its clean-up has left something. */
function howFailed(details: ErrorDetails): {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
} {
  if (cleanUpFailureOf(details) !== undefined) {
    return { level: "error", text: "orchestration cancelled, clean-up failed: what it was to undo is left" };
  }
  if (cancellationOf(details) !== undefined) return { level: "info", text: "orchestration cancelled" };
  const level = errorCategory(details) === "application" ? "warn" : "error";
  return { level, text: "orchestration failed" };
}

export function logActivityStart(
  logger: Logger,
  item: ActivityExecute,
  workerId: string,
  attempt: number,
): void {
  if (logger.debug === ignoreEntry) return;
  const fields = { ...identifyActivity(item), worker_id: workerId, attempt_count: attempt };
  logger.debug({ event: "activity_started", ...fields }, "activity started");
}

export function logActivityEnd(
  logger: Logger,
  item: ActivityExecute,
  outcome: ActivityOutcome | undefined,
  { workerId, durationMs, stack }: { readonly workerId: string; readonly durationMs: number } & Stack,
): void {
  if (outcome?.kind === "ActivityCompleted" && logger.debug === ignoreEntry) return;
  const fields = { ...identifyActivity(item), worker_id: workerId, duration_ms: durationMs };
  if (outcome === undefined) {
    logger.info({ event: "activity_cancelled", ...fields, outcome: "cancelled" }, "activity cancelled");
  } else if (outcome.kind === "ActivityCompleted") {
    const result = { outcome: "success", result_size: outcome.result.length };
    logger.debug({ event: "activity_completed", ...fields, ...result }, "activity completed");
  } else {
    const failure = failureFields(outcome.details, stack);
    logger.warn({ event: "activity_failed", ...fields, ...failure }, "activity failed");
  }
}

function identify({ instanceId, executionId, name, version }: ObservedExecution): LogFields {
  return {
    instance_id: instanceId,
    execution_id: executionId,
    orchestration_name: name,
    orchestration_version: version,
  };
}

function identifyActivity({ instance, execution_id, name, id, tag }: ActivityExecute): LogFields {
  return {
    instance_id: instance,
    execution_id,
    activity_name: name,
    activity_id: id,
    ...(tag !== undefined && { activity_tag: tag }),
  };
}
