/**
 * The sources of cancellations of an execution, and their effect on code that cleans up
 * (docs/decisions/sagas.md).
 */
import type { EventOf, HistoryEvent } from "../../wire/event.ts";
import type { OrchestratorItem, WorkItemOf } from "../../wire/work-item.ts";
import { childInstanceId } from "../calls/child-id.ts";
import { requestedBy } from "../calls/table.ts";
import { isOtherDeadline } from "./deadline.ts";

/** The reasons of a parent, as Rust writes them; the last one is ours. */
export const PARENT_CANCELLED = "parent canceled";
export const PARENT_DROPPED = "parent dropped sub-orchestration future";
export const PARENT_REWOUND = "parent was rewound";

/** The execution that cancels its child. */
export interface CancellingParent {
  readonly instanceId: string;
  readonly executionId: number;
}

/** The cancellation of a child. `childId` is that of the call: see `childInstanceId`. */
export function cancelChild(
  { instanceId, executionId }: CancellingParent,
  childId: string,
  reason: string,
): WorkItemOf<"CancelInstance"> {
  return {
    kind: "CancelInstance",
    instance: childInstanceId(instanceId, childId),
    reason,
    parent_execution_id: executionId,
  };
}

/** Data of the start, in the first event of an execution and in the message that begins one. */
type Begun = Pick<EventOf<"OrchestrationStarted">, "deadline_ms" | "parent_execution_id">;

/**
 * Whether a message asks the execution to end. The deadline of another start under the same id does not; nor does an
 * earlier execution of the parent, whose cancellation was still queued when a later one took the child over
 * (docs/decisions/verbs.md).
 */
export function asksToEnd(
  message: OrchestratorItem,
  started: Begun = {},
): message is WorkItemOf<"CancelInstance"> {
  if (message.kind !== "CancelInstance") return false;
  return !isOtherDeadline(started, message) && !isOfEarlierParent(started, message);
}

function isOfEarlierParent(
  { parent_execution_id: parent }: Begun,
  { parent_execution_id: sender }: WorkItemOf<"CancelInstance">,
): boolean {
  return parent !== undefined && sender !== undefined && sender < parent;
}

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
