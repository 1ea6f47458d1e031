/**
 * The next execution of an instance, which repeats a part of the current one (docs/decisions/verbs.md): its events, its
 * messages, and its open work.
 *
 * - next-execution.N1: The events are the kept ones, with their ids and another execution id, so that replay, of Rust
 *   too, accepts them.
 * - next-execution.N2: Every activity and timer that is open in them is enqueued again under the new execution id, and
 *   the deadline, if it is still to come. Messages to the old execution have no effect on the new one.
 * - next-execution.N3: A message with the old execution id begins a turn, which discards it. Without it no turn would
 *   run code that has no open call.
 */
import type { TurnContent } from "../contract/provider.ts";
import { invariant } from "../errors/invariant.ts";
import { ACTIVITY } from "../replay/calls/activity.ts";
import { SUB_ORCHESTRATION } from "../replay/calls/sub-orchestration.ts";
import { TIMER } from "../replay/calls/timer.ts";
import { type CancellingParent, cancelChild, PARENT_REWOUND } from "../replay/history/cancellation.ts";
import { deadlineReason } from "../replay/history/deadline.ts";
import { HistoryIndex } from "../replay/history/history-index.ts";
import type { EventOf, HistoryEvent, RevisionMark } from "../wire/event.ts";
import type { U64 } from "../wire/integer.ts";
import { programOf, STEP_TAG } from "../wire/known-code.ts";
import { storedTags } from "../wire/scheduled.ts";
import { wholeInputs } from "../wire/shared-inputs.ts";
import { parseSemver } from "../wire/version.ts";
import type { ActivityExecute, OrchestratorItem, WorkItemOf } from "../wire/work-item.ts";
import type { Cut } from "./cut.ts";
import { messageOf } from "./resent.ts";

/** How the next execution begins. */
export interface NextExecution extends Cut {
  readonly instanceId: string;
  readonly executionId: number;
  readonly mark: RevisionMark;
  /** Whether the open activities keep their idempotency keys. */
  readonly keepsKeys: boolean;
  /** The execution of the parent that gets the result; absent: as recorded. */
  readonly parentExecutionId?: U64;
  readonly nowMs: number;
}

/** The commit that begins the execution. */
export function beginExecution(next: NextExecution): TurnContent {
  const { instanceId, executionId, kept, resent, answering, nowMs } = next;
  const events = kept.map((event) => copied(event, next));
  const index = HistoryIndex.of(events);
  const again = resent.filter((event) => event.type !== "TimerFired");
  const answered = new Set(again.map(({ source_event_id }) => source_event_id));
  const openIds = openCalls(index, answered);
  const open = wholeInputs(events).filter(({ event_id }) => openIds.has(event_id));
  invariant(open.length === openIds.size, "next-execution.N2");
  const messages = again.map((event) => messageOf(event, instanceId, executionId, answering?.get(event)));
  const { started } = index;
  const pinnedVersion = parseSemver(started?.duroxide_version ?? "");
  return {
    executionId,
    historyDelta: events,
    workerItems: open
      .filter((event) => event.type === "ActivityScheduled")
      .map((event) => executeOf(event, started)),
    orchestratorItems: [
      ...messages.filter(({ kind }) => kind !== "QueueMessage"),
      ...open.filter((event) => event.type === "TimerCreated").map(firingOf),
      ...deadlineAgain(index, nowMs),
      wakeUp(instanceId, executionId, nowMs),
    ],
    returnedMessages: messages.filter((message) => message.kind === "QueueMessage"),
    metadata: {
      ...(started !== undefined && {
        orchestrationName: started.name,
        orchestrationVersion: started.version,
      }),
      ...(pinnedVersion !== undefined && { pinnedVersion }),
      tags: storedTags(index.tags, started?.scheduled),
    },
    cancelledActivities: [],
  };
}

function copied(event: HistoryEvent, next: NextExecution): HistoryEvent {
  const { executionId, parentExecutionId, mark, keepsKeys, kept } = next;
  const { execution_id } = event;
  if (event.type === "OrchestrationStarted") {
    const parent = parentExecutionId === undefined ? {} : { parent_execution_id: parentExecutionId };
    const { patches, has_permit, ...started } = event;
    // A start alone repeats no call that depends on them, and waits for a permit of its own.
    const decided =
      kept.length === 1
        ? {}
        : { ...(patches !== undefined && { patches }), ...(has_permit !== undefined && { has_permit }) };
    return { ...started, ...decided, ...parent, execution_id: executionId, revision: mark };
  }
  if (event.type !== "ActivityScheduled") return { ...event, execution_id: executionId };
  const { key_execution = execution_id, ...activity } = event;
  return { ...activity, execution_id: executionId, ...(keepsKeys && { key_execution }) };
}

/** The calls without an answer, in history or among the messages that are sent again. */
function openCalls(index: HistoryIndex, answered: ReadonlySet<U64 | null>): ReadonlySet<U64> {
  const open = [...index.open(ACTIVITY), ...index.open(TIMER)];
  return new Set(open.map(({ id }) => id).filter((id) => !answered.has(id)));
}

function executeOf(
  event: EventOf<"ActivityScheduled">,
  started: EventOf<"OrchestrationStarted"> | undefined,
): ActivityExecute {
  const { run_id: runId, name: program = "", version = "" } = started ?? {};
  const { instance_id, execution_id, event_id, name, input, session_id, tag } = event;
  const { retry_of, timeout_ms, key_execution, limit, priority } = event;
  return {
    kind: "ActivityExecute",
    instance: instance_id,
    execution_id,
    id: event_id,
    name,
    input,
    ...(session_id !== undefined && { session_id }),
    ...(tag !== undefined && { tag }),
    ...(retry_of !== undefined && { retry_of }),
    ...(timeout_ms !== undefined && { timeout_ms }),
    ...(key_execution !== undefined && { key_execution }),
    ...(runId !== undefined && { run_id: runId }),
    ...(tag === STEP_TAG && { step_of: programOf(program, version) }),
    ...(limit !== undefined && { limit }),
    ...(priority !== undefined && { priority }),
  };
}

function firingOf(event: EventOf<"TimerCreated">): WorkItemOf<"TimerFired"> {
  const { instance_id: instance, execution_id, event_id: id, fire_at_ms } = event;
  return { kind: "TimerFired", instance, execution_id, id, fire_at_ms };
}

/** The end of the execution before removed it. */
function deadlineAgain({ started }: HistoryIndex, nowMs: number): WorkItemOf<"CancelInstance">[] {
  if (started?.deadline_ms === undefined || started.deadline_ms <= nowMs) return [];
  const { instance_id: instance, deadline_ms } = started;
  return [{ kind: "CancelInstance", instance, reason: deadlineReason(deadline_ms), deadline_ms }];
}

/** Cancellations for the children that were scheduled after the cut and not answered. */
export function cancelsAfter(
  { dropped }: Cut,
  parent: CancellingParent,
): readonly WorkItemOf<"CancelInstance">[] {
  const open = HistoryIndex.of(dropped).open(SUB_ORCHESTRATION);
  return open.map(({ childId = "" }) => cancelChild(parent, childId, PARENT_REWOUND));
}

/** A message that changes nothing but begins a turn (next-execution.N3). */
export function wakeUp(instance: string, executionId: number, nowMs: number): OrchestratorItem {
  return { kind: "TimerFired", instance, execution_id: executionId - 1, id: 1, fire_at_ms: nowMs };
}
