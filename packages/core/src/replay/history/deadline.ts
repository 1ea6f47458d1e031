/**
 * The deadline of an instance (docs/decisions/0025). The start sends a cancellation that becomes visible at the
 * deadline, so Rust workers respect it too. The first event of each execution has the deadline.
 */
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { EventOf } from "../../wire/event.ts";
import type { OrchestratorItem, WorkItemOf } from "../../wire/work-item.ts";

/** Whether a message asks the execution to end. The deadline of another start under the same id does not. */
export function asksToEnd(
  message: OrchestratorItem,
  deadlineMs: EventOf<"OrchestrationStarted">["deadline_ms"],
): message is WorkItemOf<"CancelInstance"> {
  if (message.kind !== "CancelInstance") return false;
  // An execution that Rust began has no such field.
  return message.deadline_ms === undefined || deadlineMs === undefined || message.deadline_ms === deadlineMs;
}

/** The failure of an instance at its deadline. */
export function timeoutFailure(reason: string): ErrorDetails {
  const thrown = { name: "TimeoutError" };
  return { Application: { kind: "OrchestrationFailed", message: reason, retryable: false, thrown } };
}
