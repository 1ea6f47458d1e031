/** An execution as those who watch it see it. */
import type { ErrorDetails } from "../wire/error-details.ts";
import { displayMessage } from "../wire/error-details.ts";
import type { EventOf } from "../wire/event.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";

export interface ObservedExecution {
  readonly instanceId: string;
  readonly executionId: number;
  readonly name: string;
  readonly version: string;
  /** The message with which this very commit begins it. */
  readonly start: OrchestratorItem | undefined;
  /** Its first event, where an earlier commit wrote it and it can be read. */
  readonly started: EventOf<"OrchestrationStarted"> | undefined;
  /** Events of the execution before this commit. */
  readonly eventsBefore: number;
}

export type ExecutionEnd =
  | { readonly kind: "completed"; readonly output: string }
  | { readonly kind: "failed"; readonly details: ErrorDetails }
  | { readonly kind: "continued-as-new"; readonly input: string };

/** A failure as OpenTelemetry records exceptions. */
export function exceptionOf(details: ErrorDetails): { readonly name: string; readonly message: string } {
  const thrown = "Application" in details ? details.Application.thrown : undefined;
  return { name: thrown?.name ?? Object.keys(details)[0] ?? "Error", message: displayMessage(details) };
}
