/**
 * A commit that only fails an execution: for poison, and for a turn that the store refuses. It sends no messages of its
 * own; the caller adds the notices for parents. Its activities are not cancelled: their outcomes arrive at an
 * ended instance, and are discarded.
 */
import type { OrchestrationAck, TimerId } from "../../contract/provider.ts";
import { displayMessage, type ErrorDetails } from "../../wire/error-details.ts";
import type { EventPayloads, HistoryEvent } from "../../wire/event.ts";
import { DUROXIDE_VERSION } from "../../wire/version.ts";

export interface FailedExecution {
  readonly lockToken: string;
  readonly instanceId: string;
  readonly executionId: number;
  readonly firstEventId: number;
  /** Written first where the execution has no history yet. */
  readonly started: EventPayloads["OrchestrationStarted"] | undefined;
  readonly details: ErrorDetails;
  /** The timers of the execution that are still queued, and its deadline. */
  readonly droppedTimers: readonly TimerId[];
  readonly nowMs: number;
}

export function failedAck(failed: FailedExecution): OrchestrationAck {
  return {
    lockToken: failed.lockToken,
    executionId: failed.executionId,
    historyDelta: failureEvents(failed),
    workerItems: [],
    orchestratorItems: [],
    metadata: { status: "Failed", output: displayMessage(failed.details) },
    cancelledActivities: [],
    ...(failed.droppedTimers.length > 0 && { droppedTimers: failed.droppedTimers }),
  };
}

function failureEvents(options: FailedExecution): HistoryEvent[] {
  const { instanceId, executionId, firstEventId, started, details, nowMs } = options;
  const envelope = {
    source_event_id: null,
    instance_id: instanceId,
    execution_id: executionId,
    timestamp_ms: nowMs,
    duroxide_version: DUROXIDE_VERSION,
  };
  const failed = (event_id: number): HistoryEvent => ({
    event_id,
    ...envelope,
    type: "OrchestrationFailed",
    details,
  });
  if (started === undefined) return [failed(firstEventId)];
  return [
    { event_id: firstEventId, ...envelope, type: "OrchestrationStarted", ...started },
    failed(firstEventId + 1),
  ];
}
