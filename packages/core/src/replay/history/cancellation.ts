/** Who asks an execution to end, and what that means for code that cleans up (docs/decisions/0045). */
import type { HistoryEvent } from "../../wire/event.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { requestedBy } from "../calls/table.ts";

/** The reasons of a parent, as Rust writes them; the last one is ours. */
export const PARENT_CANCELLED = "parent canceled";
export const PARENT_DROPPED = "parent dropped sub-orchestration future";
export const PARENT_REWOUND = "parent was rewound";

/**
 * Whether the message ends a clean-up: a client cancels again, for another reason. The same reason is the same request,
 * sent twice because its answer was lost. A parent and a deadline come by themselves.
 */
export function endsCleanUp(message: OrchestratorItem, cancelReason: string): boolean {
  if (message.kind !== "CancelInstance" || message.deadline_ms !== undefined) return false;
  const { reason } = message;
  if (reason === PARENT_CANCELLED || reason === PARENT_DROPPED || reason === PARENT_REWOUND) return false;
  return reason !== cancelReason;
}

/** Whether it matters to code that has ended: a call that it made, or a cancellation, which may let it clean up. */
export function matters({ type }: HistoryEvent): boolean {
  return requestedBy(type) !== undefined || type === "OrchestrationCancelRequested";
}
