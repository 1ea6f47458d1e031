/**
 * The deadline of an instance (docs/decisions/messages.md). The start sends a cancellation that becomes visible at the
 * deadline, so Rust workers respect it too. The first event of each execution has the deadline.
 */
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { EventOf } from "../../wire/event.ts";
import { saturatedNumber, type U64 } from "../../wire/integer.ts";
import type { WorkItemOf } from "../../wire/work-item.ts";

/** Whether the message is the deadline of another start under the same id. */
export function isOtherDeadline(
  { deadline_ms }: Pick<EventOf<"OrchestrationStarted">, "deadline_ms">,
  message: WorkItemOf<"CancelInstance">,
): boolean {
  // An execution that Rust began has no such field.
  if (message.deadline_ms === undefined || deadline_ms === undefined) return false;
  return message.deadline_ms !== deadline_ms;
}

/** The reason of a deadline whose duration is not known any more. */
export function deadlineReason(deadlineMs: U64): string {
  const at = new Date(saturatedNumber(deadlineMs));
  const text = Number.isNaN(at.getTime()) ? `${deadlineMs}` : at.toISOString();
  return `timeout: the instance did not end by ${text}`;
}

/** The failure of an instance at its deadline. */
export function timeoutFailure(reason: string): ErrorDetails {
  const thrown = { name: "TimeoutError" };
  return { Application: { kind: "OrchestrationFailed", message: reason, retryable: false, thrown } };
}
