/** The ids of children (runtime-semantics §2.6). */
import { CHILD_MARKER } from "../../define/instance-id.ts";

/** The recorded suffix of a child without an explicit id. */
export function automaticChildId(eventId: number, executionId: number): string {
  return executionId === 1 ? `${CHILD_MARKER}${eventId}` : `${CHILD_MARKER}${executionId}_${eventId}`;
}

/** The child's full id from what SubOrchestrationScheduled records. */
export function childInstanceId(parentId: string, recorded: string): string {
  return recorded.startsWith(CHILD_MARKER) ? `${parentId}::${recorded}` : recorded;
}
