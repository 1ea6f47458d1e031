/** How and when an execution began and ended, from the events that say so. */
import type { ExecutionStatus, HistoryEvent } from "@duroxide-ts/core";
import { displayMessage, encodeErrorDetails, saturatedNumber } from "@duroxide-ts/core/stores";

export interface RecordedEnd {
  readonly status: ExecutionStatus;
  readonly output: string;
  /** Ms since the epoch. */
  readonly atMs: number;
  /** ErrorDetails as JSON text, of a failure. */
  readonly failure: string | null;
}

/** `undefined` for an event that ends nothing. */
export function endOf(event: HistoryEvent): RecordedEnd | undefined {
  const atMs = saturatedNumber(event.timestamp_ms);
  switch (event.type) {
    case "OrchestrationCompleted":
      return { status: "Completed", output: event.output, atMs, failure: null };
    case "OrchestrationContinuedAsNew":
      return { status: "ContinuedAsNew", output: event.input, atMs, failure: null };
    case "OrchestrationFailed":
      return {
        status: "Failed",
        output: displayMessage(event.details),
        atMs,
        failure: encodeErrorDetails(event.details),
      };
    default:
      return undefined;
  }
}
