/** The end of an execution by hand, without running its code (docs/decisions/verbs.md). */
import type { Clock } from "../contract/clock.ts";
import type { TurnContent } from "../contract/provider.ts";
import { cancelledFailure } from "../errors/failure-details.ts";
import { SUB_ORCHESTRATION } from "../replay/calls/sub-orchestration.ts";
import { cancelChild, PARENT_CANCELLED } from "../replay/history/cancellation.ts";
import { endExecution, type ParentNotice, parentNotice } from "../replay/history/end-execution.ts";
import { EventWriter } from "../replay/history/event-writer.ts";
import { HistoryIndex } from "../replay/history/history-index.ts";
import { displayMessage, type ErrorDetails } from "../wire/error-details.ts";
import type { HistoryEvent, RevisionMark } from "../wire/event.ts";
import { DUROXIDE_SEMVER, DUROXIDE_VERSION } from "../wire/version.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";

/** How an execution is ended. */
export interface EndByHand {
  readonly instanceId: string;
  readonly executionId: number;
  readonly history: readonly HistoryEvent[];
  readonly mark: RevisionMark;
  /** The reason of the failure. */
  readonly reason: string;
  readonly clock: Clock;
}

/** A commit that ends an execution, and the parent that waits for it. */
export interface EndedByHand {
  readonly content: TurnContent;
  readonly details: ErrorDetails;
  readonly parent: ParentNotice | undefined;
  /** Cancellations for open children. */
  readonly cancels: readonly OrchestratorItem[];
}

/**
 * The end of the execution that follows one that continued as new, before its first turn. The message that was to begin
 * it finds an instance that has ended, and is dropped. Returns undefined if the execution has not continued as new.
 */
export function endNextByHand(end: EndByHand): EndedByHand | undefined {
  const { started: first, terminal, tags } = HistoryIndex.of(end.history);
  if (first === undefined || terminal?.type !== "OrchestrationContinuedAsNew") return undefined;
  const {
    carry_forward_events: _carried,
    initial_custom_status: _status,
    revision: _mark,
    tags_after: _tags,
    ...kept
  } = first;
  const executionId = end.executionId + 1;
  const started: HistoryEvent = {
    ...kept,
    execution_id: executionId,
    timestamp_ms: end.clock.now(),
    duroxide_version: DUROXIDE_VERSION,
    input: terminal.input,
    tags,
  };
  const ended = endByHand({ ...end, executionId, history: [started] });
  const { historyDelta, metadata } = ended.content;
  const begun = { orchestrationName: first.name, orchestrationVersion: first.version };
  const content: TurnContent = {
    ...ended.content,
    historyDelta: [started, ...historyDelta],
    metadata: { ...begun, pinnedVersion: DUROXIDE_SEMVER, ...metadata },
  };
  return { ...ended, content };
}

/** The commit notifies neither the parent nor the children. */
export function endByHand(end: EndByHand): EndedByHand {
  const { instanceId, executionId, history, mark, reason, clock } = end;
  const index = HistoryIndex.of(history);
  const cancels = index
    .open(SUB_ORCHESTRATION)
    .map(({ childId = "" }) => cancelChild({ instanceId, executionId }, childId, PARENT_CANCELLED));
  const writer = new EventWriter(instanceId, executionId, index, clock);
  const details = cancelledFailure(reason);
  writer.append("OrchestrationCancelRequested", { reason, revision: mark });
  const removals = endExecution(index, writer, {
    type: "OrchestrationFailed",
    payload: { details },
  });
  const content: TurnContent = {
    executionId,
    historyDelta: writer.delta,
    workerItems: [],
    orchestratorItems: [],
    metadata: { status: "Failed", output: displayMessage(details) },
    ...removals,
  };
  return { content, details, parent: parentNotice(index), cancels };
}
