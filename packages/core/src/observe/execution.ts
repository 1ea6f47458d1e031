/** The data of an execution and its turns for metrics, spans and the log. */
import type { LogFields } from "../define/logger.ts";
import type { ErrorDetails } from "../wire/error-details.ts";
import { displayMessage, errorCategory } from "../wire/error-details.ts";
import type { EventOf } from "../wire/event.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import type { OpenSpan } from "./tracing.ts";

export interface ObservedExecution {
  readonly instanceId: string;
  readonly executionId: number;
  readonly name: string;
  readonly version: string;
  /** The message with which this commit begins the execution. */
  readonly start: OrchestratorItem | undefined;
  /** Its first event, if an earlier commit wrote it and it can be read. */
  readonly started: EventOf<"OrchestrationStarted"> | undefined;
  /** Events of the execution before this commit. */
  readonly eventsBefore: number;
}

/** A committed turn. */
export interface ObservedTurn {
  readonly execution: ObservedExecution;
  /** Its number in the execution, from 1. */
  readonly turn: number;
  /** The parent span of the execution. */
  readonly traceparent: string | undefined;
  /** They end with the commit. */
  readonly spans: readonly OpenSpan[];
}

export type ExecutionEnd =
  | { readonly kind: "completed"; readonly output: string }
  | {
      readonly kind: "failed";
      readonly details: ErrorDetails;
      /** The error that the code threw in this process. */
      readonly thrown?: unknown;
    }
  | { readonly kind: "continued-as-new"; readonly input: string };

/** A failure as OpenTelemetry records exceptions. */
export function exceptionOf(
  details: ErrorDetails,
  stack: string | undefined,
): { readonly name: string; readonly message: string; readonly stack?: string } {
  const thrown = "Application" in details ? details.Application.thrown : undefined;
  const name = thrown?.name ?? Object.keys(details)[0] ?? "Error";
  return { name, message: displayMessage(details), ...(stack !== undefined && { stack }) };
}

/** The log fields of a failure of an orchestration or an activity. */
export function failureFields(details: ErrorDetails, stack: string | undefined): LogFields {
  return {
    outcome: "failed",
    error_category: errorCategory(details),
    error_message: displayMessage(details),
    ...(stack !== undefined && { stack }),
  };
}
